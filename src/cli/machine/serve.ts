/** `mayday serve`: opens the desk in the browser of this machine until Ctrl-C; the runs do not depend on it. */
import { setTimeout as pause } from 'node:timers/promises';
import { startDesk } from '../../http/start-desk.ts';
import { homeTender } from '../../supervise/home-tender.ts';
import type { Invocation } from '../command.ts';
import { VERSION } from '../help.ts';
import { listOf, wholeNumberOf } from '../option-values.ts';
import { printError } from '../../platform/print-error.ts';
import { withRecord } from '../with-record.ts';
import { textOut, writeText } from '../write-text.ts';

/** Fixed, so that a bookmark stays good. */
const DEFAULT_PORT = 4747;
const MAX_PORT = 65_535;
/** How often it looks after notices: an open desk delivers what a run could not. */
const TEND_MS = 1_000;

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, stderr, json } = invocation;
    const port =
      wholeNumberOf(invocation, 'port', { min: 0, max: MAX_PORT, like: DEFAULT_PORT }) ?? DEFAULT_PORT;
    const hosts = listOf(invocation, 'host');
    const onFault = (error: unknown) => void printError(error, textOut(stderr));
    const desk = await startDesk({ caller, env: invocation.env, version: VERSION, port, hosts, onFault });
    // Before anything is said: whoever reads it may end it at once.
    const stop = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
    if (json)
      stdout.write(
        `${JSON.stringify({ url: desk.url, token_file: desk.tokenFile, login_url: desk.link() })}\n`,
      );
    else {
      writeText(
        stdout,
        `the desk is open; this link works once:\n\n  ${desk.link()}\n\nEnter: another link · Ctrl-C: close the desk (the runs go on)\n`,
      );
      if (process.stdin.isTTY) process.stdin.on('data', () => writeText(stdout, `  ${desk.link()}\n`));
    }
    const { tend, finish } = await homeTender({ ...caller, env: invocation.env });
    while (!stop.signal.aborted) {
      await tend();
      await pause(TEND_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await finish(stop.signal);
    process.stdin.pause();
    await desk.close();
    return 0;
  });
}
