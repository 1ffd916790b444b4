// Tournaments to replay and to follow: their place on the page is #tournaments, in the Games panel.

/** @typedef {import("./app.js").App} App */

/** @param {App} _app */
export function startTournaments(_app) {}
