import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/supervise/request/read-config.ts';
import { inBox } from '../e2e/box.ts';
import { startPostgres } from '../fixtures/postgres/server.ts';
import { PLAYS_ALL } from '../lane.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { handwrittenPages, readPage } from './pages.ts';
import { ShellPage } from './shell-page.ts';

/** A page tells several runs with real pauses, on a machine that does other things too. */
const LIMIT_MS = 240_000;

/** The server of the reader. */
const EXAMPLE_STORE = 'postgres://mayday:secret@db.example/mayday';

const pages = handwrittenPages().map((path) => ({ path, blocks: markdownBlocks(readPage(path)) }));

describe('every command in the docs works as written:', () => {
  const told = pages
    .map(({ path, blocks }) => ({
      path,
      runnable: blocks.filter(({ language, notRun }) => language === 'sh' && notRun === null),
    }))
    .filter(({ runnable }) => runnable.length > 0);
  // Each page is a story of half a minute; `npm test` plays the first that a stranger reads.
  for (const { path, runnable } of told.filter(({ path }) => PLAYS_ALL || path === 'README.md')) {
    it(
      path,
      () =>
        inBox(async (box) => {
          const page = new ShellPage(box);
          const server = runnable.some(({ text }) => text.includes(EXAMPLE_STORE))
            ? await startPostgres()
            : null;
          try {
            for (const { text, line, exitCode } of runnable) {
              const ran = await page.run(text.replaceAll(EXAMPLE_STORE, `'${server?.address}'`));
              expect({ block: `${path}:${line}`, exitCode: ran.exitCode }, ran.output).toEqual({
                block: `${path}:${line}`,
                exitCode,
              });
            }
          } finally {
            await server?.stop();
          }
        }),
      LIMIT_MS,
    );
  }
});

it('configurations in the docs are valid', () => {
  const shown = pages
    .flatMap(({ blocks }) => blocks)
    .filter(({ language, text }) => language === 'yaml' && text.startsWith('# mayday.yaml'));
  expect(shown.length).toBeGreaterThan(0);
  for (const { text } of shown) expect(configSchema.safeParse(parse(text)).error).toBeUndefined();
});

it('a block that is not run says why, and shell is always called sh', () => {
  const all = pages.flatMap(({ path, blocks }) => blocks.map((block) => ({ path, ...block })));
  for (const { notRun } of all) if (notRun !== null) expect(notRun.length).toBeGreaterThan(10);
  expect(all.filter(({ language }) => ['bash', 'shell', 'console', 'zsh'].includes(language))).toEqual([]);
});
