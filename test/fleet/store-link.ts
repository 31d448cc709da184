/**
 * `StoreLink`: the way of one host to the store. It can be cut, so that bytes vanish and nobody hears of it, and it can lose answers, so
 * that a host does not know whether its commit was made.
 */
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** The name that clients of PostgreSQL look for in the folder of the address. */
const SOCKET = '.s.PGSQL.5432';

export class StoreLink {
  /** What the host takes for the address of the store. */
  readonly address: string;
  answersLost = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #loses: () => boolean = () => false;

  /** `folder`: is made, and is the host's own. */
  constructor(store: string, folder: string) {
    const url = new URL(store);
    const behind = join(url.searchParams.get('host') ?? '', SOCKET);
    mkdirSync(folder, { recursive: true });
    url.searchParams.set('host', folder);
    this.address = url.href;
    this.#server = createServer((host) => this.#join(host, connect(behind))).listen(join(folder, SOCKET));
  }

  /** From now on no byte arrives, in either direction, and no connection ends. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Connections from before the cut are lost, as a router forgets them. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Loses an answer of the store whenever `draw` says so: the connection ends after the store has done what it was asked. */
  loseAnswers(draw: () => boolean): void {
    this.#loses = draw;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(host: Socket, store: Socket): void {
    const end = () => {
      host.destroy();
      store.destroy();
    };
    for (const socket of [host, store]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket);
        if (!this.#isCut) end();
      });
      if (this.#isCut) socket.pause();
    }
    host.on('data', (bytes) => store.write(bytes));
    store.on('data', (bytes) => {
      if (this.#loses()) {
        this.answersLost += 1;
        end();
      } else host.write(bytes);
    });
  }
}
