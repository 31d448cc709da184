/** A desk that is open over a record of its own, and requests to it as a browser, a program or a stranger would send them. */
import { get, request } from 'node:http';
import type { DeskRole } from '../../src/http/access.ts';
import { type OpenDesk, startDesk } from '../../src/http/start-desk.ts';
import type { RunAct } from '../../src/http/live-acts.ts';
import type { CallerSigns } from '../../src/platform/process/callers.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a body: sent as they are, without telling how long they are together. */
  readonly pieces?: readonly string[];
}

export class DeskWorld {
  readonly repository: RehearsalRepository;
  readonly desk: OpenDesk;
  readonly faults: unknown[];

  private constructor(repository: RehearsalRepository, desk: OpenDesk, faults: unknown[]) {
    this.repository = repository;
    this.desk = desk;
    this.faults = faults;
  }

  static async open(
    options: {
      readonly signs?: Partial<CallerSigns>;
      readonly takeBackMs?: number;
      /** That of a desk that was open before. */
      readonly port?: number;
      readonly in?: RehearsalRepository;
    } = {},
  ): Promise<DeskWorld> {
    const repository = options.in ?? (await RehearsalRepository.make());
    const faults: unknown[] = [];
    const desk = await startDesk({
      caller: { ...repository.caller(options.signs), by: 'ann' },
      env: process.env,
      version: '0',
      port: options.port ?? 0,
      takeBackMs: options.takeBackMs ?? 1,
      onFault: (error) => faults.push(error),
    });
    return new DeskWorld(repository, desk, faults);
  }

  async close(): Promise<void> {
    await this.desk.close();
    await this.repository.remove();
  }

  get host(): string {
    return new URL(this.desk.url).host;
  }

  /** `fetch` would not let a test choose its Host. */
  async send(
    path: string,
    { method = 'GET', headers = {}, body, pieces = [] }: Sent = {},
  ): Promise<Answered> {
    const { port } = new URL(this.desk.url);
    return await new Promise((settle, fail) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.once('end', () => {
          const json = (answer.headers['content-type'] ?? '').includes('json');
          const parsed = json ? (JSON.parse(text) as Record<string, unknown>) : {};
          settle({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed });
        });
      });
      sent.once('error', fail);
      for (const piece of pieces) sent.write(piece);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Cookie and header of a person who opened a link and pressed its button. */
  async login(link = this.desk.link()): Promise<Readonly<Record<string, string>>> {
    const { pathname, search } = new URL(link);
    const { status, headers } = await this.send(`${pathname}${search}`, { method: 'POST' });
    if (status !== 303) throw new Error(`login answered ${status}`);
    const cookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const session = await this.send('/api/session', { headers: { cookie } });
    return { cookie, 'x-mayday-csrf': session.body['csrf'] as string, origin: this.desk.url.slice(0, -1) };
  }

  /** Of a person whom another let in, by default the owner. */
  async invited(
    role: DeskRole,
    by: string,
    maker?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>> {
    const headers = maker ?? (await this.login());
    const { body } = await this.send('/api/links', { method: 'POST', headers, body: { role, by } });
    return await this.login(body['url'] as string);
  }

  /** The events of the live stream, as they come. */
  stream(after: number, headers: Readonly<Record<string, string>>) {
    const { port } = new URL(this.desk.url);
    const events: { readonly at: number; readonly id: number; readonly data: Record<string, unknown> }[] = [];
    const acts: RunAct[] = [];
    const end = Promise.withResolvers<void>();
    const sent = get({ host: '127.0.0.1', port, path: `/api/changes?after=${after}`, headers }, (answer) => {
      let rest = '';
      answer.once('close', () => end.resolve());
      answer.setEncoding('utf8').on('data', (piece: string) => {
        const blocks = `${rest}${piece}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
          if (field('event') === 'run')
            events.push({
              at: Date.now(),
              id: Number(field('id')),
              data: JSON.parse(field('data')) as never,
            });
          if (field('event') === 'act') acts.push(JSON.parse(field('data')) as RunAct);
        }
      });
    });
    sent.on('error', () => undefined);
    return { events, acts, ended: end.promise, close: () => sent.destroy() };
  }
}
