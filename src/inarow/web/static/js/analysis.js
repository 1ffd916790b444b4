// The analysis panel: its place on the page is #panel-analysis, the evaluation bar's is #evaluation.

/** @typedef {import("./app.js").App} App */

/** @param {App} _app */
export function startAnalysis(_app) {}
