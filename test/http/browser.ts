/**
 * `openBrowser`: a real Chromium for tests: the one of npm (`@sparticuz/chromium`, which is built for x64 only), or one that this machine
 * has. Without either the tests are skipped, and say so.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

function onThisMachine(): string | null {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && existsSync(named)) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null;
}

/** Null: no browser runs here. */
export const WHY_NO_BROWSER =
  onThisMachine() === null && (process.arch !== 'x64' || process.platform !== 'linux')
    ? `no Chromium for ${process.platform} on ${process.arch} comes from npm, and this machine has none: apt-get install chromium`
    : null;

export async function openBrowser(): Promise<Browser> {
  const own = onThisMachine();
  if (own !== null) return await chromium.launch({ executablePath: own, args: ['--no-sandbox'] });
  return await chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args });
}
