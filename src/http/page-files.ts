/** `pageFile`, `doorPage`: the built files of the page, and the page before the desk, which works without scripts. */
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { escapeHtml } from '../report/escape-html.ts';
import { MaydayError } from '../platform/mayday-error.ts';

/** From `src/http`, and from `dist/programs`. */
const FOLDER = resolve(import.meta.dirname, '../../dist/desk');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Views of the page; the page itself reads the rest of the address. */
const VIEWS = /^\/(?:|now|inbox|runs(?:\/[\w-]+)?|causes|lessons|holds|hosts|numbers)\/?$/;

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Null: there is no such page. */
export async function pageFile(path: string): Promise<PageFile | null> {
  if (VIEWS.test(path)) return await fileAt('index.html', 'no-cache');
  // Built files carry a hash of their content in their name.
  const name = basename(path);
  if (path !== `/assets/${name}` || !/^[\w.-]+$/.test(name)) return null;
  return await fileAt(join('assets', name), 'public, max-age=31536000, immutable').catch(() => null);
}

/** With a button it is a form; a browser names no origin to a form of a page that names no referrer at all. */
export async function doorPage(title: string, text: string, button?: string): Promise<PageFile> {
  const { bytes, headers } = await fileAt('door.html', 'no-store');
  const html = new TextDecoder()
    .decode(bytes)
    .replace(/<form.*<\/form>/s, (form) => (button === undefined ? '' : form))
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml({ title, text, button }[name] ?? ''));
  return {
    bytes: new TextEncoder().encode(html),
    headers: { ...headers, ...(button !== undefined && { 'referrer-policy': 'same-origin' }) },
  };
}

async function fileAt(name: string, caching: string): Promise<PageFile> {
  try {
    const bytes = new Uint8Array(await readFile(join(FOLDER, name)));
    return {
      bytes,
      headers: {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'cache-control': caching,
      },
    };
  } catch (error) {
    throw new MaydayError('DESK_NOT_BUILT', 'the page of the desk is not there', [
      ['do', 'in a checkout: npm run build:desk; the published package has it'],
    ]).causedBy(error);
  }
}
