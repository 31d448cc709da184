/**
 * `openBrowser`: a real Chromium for tests: the one of npm (`@sparticuz/chromium`, which is built for x64 only), or one that this machine
 * has. Without either the tests are skipped, and say so. `enter`: opens a login link as a person does.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Pages obey the web's rules; and in a single process the browser ends with its first closed context. */
const UNWANTED: readonly string[] = ['--disable-web-security', '--single-process'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

function onThisMachine(): string | null {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && existsSync(named)) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null;
}

/** Null: no browser runs here, and the reason is printed. */
export async function openBrowser(): Promise<Browser | null> {
  const own = onThisMachine();
  if (own !== null) return await chromium.launch({ executablePath: own, args: ['--no-sandbox'] });
  if (process.arch !== 'x64' || process.platform !== 'linux')
    return without(`npm brings no Chromium for ${process.platform} on ${process.arch}`);
  return await fromNpm().catch((error: unknown) =>
    without(`the Chromium of npm does not start: ${String(error)}`),
  );
}

/** A link is used by its button only. */
export async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Open the desk' }).click();
}

function without(why: string): null {
  console.warn(`no browser: ${why}; this machine has none either: apt-get install chromium`);
  return null;
}

/** The package unpacks the libraries that a bare machine lacks only where it believes to be at its own provider. */
async function fromNpm(): Promise<Browser> {
  const { LD_LIBRARY_PATH, FONTCONFIG_PATH, AWS_EXECUTION_ENV } = process.env;
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs24.x';
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    const args = packed.args.filter((arg) => !UNWANTED.includes(arg));
    return await chromium.launch({ executablePath, args, env: definedOnly(process.env) });
  } finally {
    // Other programs that a test starts must not load those libraries.
    restore({ LD_LIBRARY_PATH, FONTCONFIG_PATH, AWS_EXECUTION_ENV });
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function restore(before: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
