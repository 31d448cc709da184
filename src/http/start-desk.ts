/** `startDesk`: opens the desk on this machine and returns its address, a login link and how to close it. */
import { rmSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { clientSigns } from '../platform/process/callers.ts';
import { supervisedBy } from '../supervise/mail/assert-person.ts';
import { keysFolder } from '../supervise/mail/person-key.ts';
import type { Caller } from '../use-cases/caller.ts';
import { Access } from './access.ts';
import { deskApp } from './desk-app.ts';
import type { Border } from './guard.ts';
import { LateAnswers } from './late-answers.ts';
import { LiveActs } from './live-acts.ts';
import type { Desk } from './route.ts';

export interface DeskSettings {
  readonly caller: Caller;
  /** In which new runs are planned. */
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** 0: any free one. */
  readonly port: number;
  /** Further names of the desk, for a reverse proxy with TLS in front of it. */
  readonly hosts?: readonly string[];
  readonly takeBackMs?: number;
  readonly onFault?: (error: unknown) => void;
}

export interface OpenDesk {
  readonly url: string;
  /** Holds the token for programs; only this user may read it, and agents do not see the folder. */
  readonly tokenFile: string;
  /** A new one-time link of the person who opened the desk. */
  readonly link: () => string;
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';

export async function startDesk(settings: DeskSettings): Promise<OpenDesk> {
  const { caller, version, onFault } = settings;
  const end = new AbortController();
  let port = settings.port;
  const fileOf = (ending: string) => join(keysFolder(caller.home), `desk-${port}.${ending}`);
  const access = new Access(caller.by, () => fileOf('sessions'));
  const address = () => `http://${LOOPBACK}:${port}/`;
  const hosts = () => [`${LOOPBACK}:${port}`, `localhost:${port}`, ...(settings.hosts ?? [])];
  const desk: Desk = {
    home: caller.home,
    env: settings.env,
    record: caller.record,
    access,
    acts: new LiveActs(caller.home, caller.record),
    answers: new LateAnswers(settings.takeBackMs),
    caller: ({ by, role }) => ({ ...caller, by, ...(role === 'owner' ? {} : { isGuest: true }) }),
    address,
  };
  const app = deskApp({
    desk,
    border: { access, hosts, agentBehind: agentFinder(caller) },
    version,
    signal: end.signal,
    ...(onFault && { onFault }),
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  port = await listen(server, port);
  const tokenFile = fileOf('token');
  await writeFileDurably(tokenFile, `${access.token}\n`, { mode: 0o600 });
  return {
    url: address(),
    tokenFile,
    link: () => `${address()}login?code=${access.link().code}`,
    close: async () => {
      rmSync(tokenFile, { force: true });
      // Nobody comes back to a port that was drawn.
      if (settings.port === 0) rmSync(fileOf('sessions'), { force: true });
      await desk.answers.sayAll();
      end.abort();
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    },
  };
}

/** A connection stays with its process: it is looked at once. */
function agentFinder({ home, record }: Caller): Border['agentBehind'] {
  const known = new WeakMap<Socket, Promise<string | null>>();
  return async ({ env }) => {
    const { socket } = (env as { incoming: IncomingMessage }).incoming;
    const { remotePort: port = 0, localPort: serverPort = 0 } = socket;
    const run = known.get(socket) ?? supervisedBy(home, record, clientSigns({ port, serverPort }));
    known.set(socket, run);
    return await run;
  };
}

async function listen(server: Server, port: number): Promise<number> {
  return await new Promise((settle, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        new MaydayError(
          'PORT_TAKEN',
          `port ${port} on this machine cannot be used: ${error.code ?? error.message}`,
          [['do', 'mayday serve --port 0 takes a free one']],
        ).causedBy(error),
      ),
    );
    server.listen(port, LOOPBACK, () => settle((server.address() as AddressInfo).port));
  });
}
