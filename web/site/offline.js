// Keeps the site, so that it opens without a network: the board at the first visit, an engine with its
// first game, all of them once the site is installed. `web/build` writes before it: VERSION, of all
// files, FILES, the board's, and ENGINES, the others. A new version is kept beside the old one and takes
// its place when no page has that any more.

/* global VERSION, FILES, ENGINES */
'use strict';

const PREFIX = 'parlor-site-';
const kept = () => caches.open(PREFIX + VERSION);

self.oninstall = (event) => event.waitUntil((async () => {
  // Of the engines those are wanted that an older version has.
  const had = await Promise.all(ENGINES.map((file) => caches.match(file)));
  await (await kept()).addAll([...FILES, ...ENGINES.filter((_, index) => had[index])]);
})());

self.onactivate = (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})());

/** A page says of which game it uses the engine, or that it wants all: `''`. */
self.onmessage = (event) => event.waitUntil((async () => {
  const cache = await kept();
  const wanted = ENGINES.filter((file) => file.startsWith(event.data && `${event.data}.`));
  const there = await Promise.all(wanted.map((file) => cache.match(file)));
  await cache.addAll(wanted.filter((_, index) => !there[index]));
})());

self.onfetch = (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith((async () =>
    (await (await kept()).match(event.request, { ignoreSearch: true })) ?? fetch(event.request))());
};
