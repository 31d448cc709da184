import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileNews } from '../../../src/platform/file/file-news.ts';

const FOREVER = new AbortController().signal;
const LONG_MS = 60_000;

function place(): { readonly path: string; readonly news: FileNews } {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-news-'));
  const path = join(folder, 'record.db');
  writeFileSync(path, '');
  const news = new FileNews(path);
  onTestFinished(() => {
    news.close();
    rmSync(folder, { recursive: true });
  });
  return { path, news };
}

test.runIf(process.platform === 'linux')(
  'a write to the file or to its log ends the wait, also one from before the wait',
  async () => {
    const { path, news } = place();
    expect(news.isLive).toBe(true);
    for (const suffix of ['', '-wal', '-wal']) {
      const waiting = news.next(LONG_MS, FOREVER);
      appendFileSync(`${path}${suffix}`, 'x');
      expect(await waiting).toBe(true);
    }
    appendFileSync(path, 'x');
    expect(await news.next(LONG_MS, FOREVER)).toBe(true);
  },
);

test('another file of the folder does not end it, time and an end of the work do', async () => {
  const { path, news } = place();
  while (await news.next(50, FOREVER));
  writeFileSync(join(path, '..', 'other'), '');
  expect(await news.next(200, FOREVER)).toBe(false);
  const stop = new AbortController();
  const waiting = news.next(LONG_MS, stop.signal);
  stop.abort();
  expect(await waiting).toBe(false);
  expect(await news.next(LONG_MS, stop.signal)).toBe(false);
});

test('where the folder cannot be watched, it says so', () => {
  const news = new FileNews(join(tmpdir(), 'mayday-no-such-folder', 'record.db'));
  expect(news.isLive).toBe(false);
  news.close();
});
