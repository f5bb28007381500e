// All words of the page: English, and under it German, Spanish, Hindi.

/** @type {Record<string, [string, string, string]>} */
export const WORDS = {
};
