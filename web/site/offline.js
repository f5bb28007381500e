// Keeps the site, so that it opens without a network. `web/build` writes before it: VERSION, of all
// that is kept, and FILES. A new version is kept beside the old one and takes its place when no page
// has that any more.

/* global VERSION, FILES */
'use strict';

const PREFIX = 'parlor-site-';

self.oninstall = (event) => event.waitUntil(caches.open(PREFIX + VERSION).then((cache) => cache.addAll(FILES)));

self.onactivate = (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})());

self.onfetch = (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith((async () => {
    const cache = await caches.open(PREFIX + VERSION);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  })());
};
