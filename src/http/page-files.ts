/**
 * `pageFile`, `firstPage`: the built files of the page, from the package. Addresses of views all begin with the same page: the URL is
 * its state.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
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
  if (VIEWS.test(path)) return await firstPage();
  // Built files carry a hash of their content in their name.
  const name = basename(path);
  if (path !== `/assets/${name}` || !/^[\w.-]+$/.test(name)) return null;
  return await fileAt(join('assets', name), 'public, max-age=31536000, immutable').catch(() => null);
}

/** The page that every view begins with. */
export async function firstPage(): Promise<PageFile> {
  return await fileAt('index.html', 'no-cache');
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
