// Questions to the server that have one answer.

/** @param {string} path after /api/ @param {unknown} [body] posted as JSON @returns {Promise<any>} Error with the server's line */
export async function ask(path, body) {
  const posted = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(`/api/${path}`, body === undefined ? {} : posted);
  } catch {
    throw new Error("The server does not answer.");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answers with ${response.status}.`);
  return answer;
}
