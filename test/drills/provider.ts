/** The provider that the agents of a storm ask: a real listener that can be away, refuse a credential, or think for long. It is the outside judge: it saw who asked, and when. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Asked {
  readonly run: string;
  readonly attempt: number;
  readonly status: number;
}

/** What a turn of the model takes. */
const TURN_MS = 100;

export class Provider {
  readonly asked: Asked[] = [];
  readonly expired = new Set<string>();
  /** Runs whose turn is not over yet. */
  readonly thinking = new Set<string>();
  /** How long the model thinks for this run; a promise that the drill settles. */
  think: (run: string) => Promise<unknown> = () => pause(TURN_MS);
  #server: Server | null = null;
  #port = 0;

  /** A port without a listener until the provider is up. */
  static async down(): Promise<Provider> {
    const provider = new Provider();
    await provider.up();
    await provider.close();
    return provider;
  }

  get port(): number {
    return this.#port;
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => {
      const run = String(request.headers['x-run']);
      const attempt = Number(request.headers['x-attempt']);
      const refused = this.expired.has(String(request.headers['x-credential']));
      this.thinking.add(run);
      void (refused ? Promise.resolve() : this.think(run)).then(() => {
        this.thinking.delete(run);
        const status = refused ? 401 : 200;
        this.asked.push({ run, attempt, status });
        response.writeHead(status).end();
      });
    });
    this.#server = server;
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}
