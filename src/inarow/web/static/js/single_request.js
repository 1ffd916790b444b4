// One request of a kind at a time: the next one waits until the one before has stopped, and until nothing has changed for a moment.
// So somebody who holds an arrow key down asks once, at the end, and not thirty times a second. What is lost with the connection
// is asked again by itself.

/** @typedef {import("./socket.js").Message} Message */
/** @typedef {import("./socket.js").RequestError} RequestError */
/** @typedef {{type: string} & Record<string, unknown>} Question */
/** @typedef {{onMessage: (message: Message) => void, onEnd: (last: Message | null, error: RequestError | null) => void}} Listener
 * onEnd: with the last message, or with what went wrong; not called for a request that was stopped or replaced */

const SETTLE = 60; // milliseconds without a change before a question is asked
const AGAIN = 1000; // and before one that was lost is asked again

export class SingleRequest {
  /** @param {import("./socket.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {import("./socket.js").Request | null} what the server is working on */
    this.running = null;
    /** @type {{question: Question, listener: Listener} | null} */
    this.wanted = null;
    /** Whether the answers of the running request still count. */
    this.isHeard = false;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Asks, in place of whatever was asked before.
   * @param {Question} question @param {Listener} listener @param {number} [delay] milliseconds */
  ask(question, listener, delay = SETTLE) {
    this.stop();
    this.wanted = { question, listener };
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.#next();
    }, delay);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = null;
    if (this.isHeard) this.running?.stop();
    this.isHeard = false;
  }

  #next() {
    if (this.running || this.timer !== undefined || !this.wanted) return;
    const { question, listener } = this.wanted;
    this.wanted = null;
    this.isHeard = true;
    const request = this.connection.request(question, (message) => {
      if (this.running === request && this.isHeard) listener.onMessage(message);
    });
    this.running = request;
    request.done.then(
      (last) => this.#ended(() => listener.onEnd(last, null)),
      (error) => this.#ended(() => (error.kind === "lost" ? this.ask(question, listener, AGAIN) : listener.onEnd(null, error))),
    );
  }

  /** @param {() => void} tell */
  #ended(tell) {
    const isHeard = this.isHeard;
    this.running = null;
    this.isHeard = false;
    if (isHeard) tell();
    this.#next();
  }
}
