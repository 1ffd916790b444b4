// The connection to the server: requests with ids, each answered by one or many messages; it connects again by itself.

/** @typedef {{type: string, id?: number | null} & Record<string, any>} Message */
/** @typedef {"connecting" | "open" | "waiting" | "closed"} Condition */
/** @typedef {{id: number, done: Promise<Message>, stop: () => void}} Request
 * done is fulfilled with the last message; it is rejected with a RequestError */

/** The messages that end a request of some type; all others end with done.
 * @type {Record<string, string>} */
const LAST_ANSWER = { move: "moved", threats: "threats" };
const FIRST_WAIT = 500; // milliseconds before the next try to connect; doubled each time
const LONGEST_WAIT = 8000;
const TRY_LATER = 1013; // the close code of a server whose sessions are all taken

export class RequestError extends Error {
  /** @param {string} text @param {string} kind as the server says, or "lost" when the connection broke */
  constructor(text, kind) {
    super(text);
    this.kind = kind;
  }
}

export class Connection {
  /** @param {string} address @param {{onCondition: (condition: Condition, words: string) => void,
   *   onNotice: (text: string) => void}} listener */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
    /** @type {Map<number, {type: string, onMessage: (message: Message) => void, resolve: (message: Message) => void,
     *   reject: (error: RequestError) => void}>} */
    this.requests = new Map();
    this.nextId = 1;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {string[]} what was asked before the connection stood */
    this.unsent = [];
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.listener.onCondition("connecting", "Connecting to the server …");
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      for (const text of this.unsent.splice(0)) socket.send(text);
      this.listener.onCondition("open", "");
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event);
  }

  /** Asks the server for something.
   * @param {{type: string} & Record<string, unknown>} message without its id
   * @param {(message: Message) => void} [onMessage] called with every answer but the closing `done`
   * @returns {Request} */
  request(message, onMessage = () => {}) {
    const id = this.nextId++;
    const done = new Promise((resolve, reject) => {
      this.requests.set(id, { type: message.type, onMessage, resolve, reject });
    });
    done.catch(() => {}); // whoever waits hears of it; a request that nobody waits for is no unhandled rejection
    this.#send({ ...message, id });
    return { id, done, stop: () => this.requests.has(id) && this.#send({ type: "stop", id }) };
  }

  /** @param {Record<string, unknown>} message */
  #send(message) {
    const text = JSON.stringify(message);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.unsent.push(text);
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.type === "notice") this.listener.onNotice(message.text);
    const id = message.id ?? 0;
    const request = this.requests.get(id);
    if (!request) {
      if (message.type === "error" && !id) this.listener.onNotice(message.text);
      return;
    }
    if (message.type === "error") {
      this.requests.delete(id);
      request.reject(new RequestError(message.text, message.kind));
      return;
    }
    if (message.type !== "done") request.onMessage(message);
    if (message.type === "done" || message.type === LAST_ANSWER[request.type]) {
      this.requests.delete(id);
      request.resolve(message);
    }
  }

  /** @param {CloseEvent} event */
  #lost(event) {
    const requests = [...this.requests.values()];
    this.requests.clear();
    this.unsent = [];
    for (const request of requests) request.reject(new RequestError("the connection to the server was lost", "lost"));
    const why = event.code === TRY_LATER ? "The server has too many guests." : event.reason || "The connection was lost.";
    this.listener.onCondition("waiting", `${why} The page connects again by itself; moves by hand still work.`);
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}
