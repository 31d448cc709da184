/** `mayday serve` as a person starts it: the real command line, its page, its link, its end. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inBox } from '../e2e/box.ts';

it('prints where it listens, shows the page only after the login, and leaves nothing behind', () =>
  inBox(async (box) => {
    const { child, done } = box.start(['serve', '--port', '0', '--json']);
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
    const line = await box.until('the desk listens', () => text.includes('\n') && text);
    const { url, token_file, login_url } = JSON.parse(line) as Record<
      'url' | 'token_file' | 'login_url',
      string
    >;
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
    expect((await fetch(new URL(script, url))).status).toBe(200);
    expect((await fetch(new URL('/api/runs', url))).status).toBe(401);
    expect((await fetch(login_url)).headers.get('set-cookie')).toBeNull();
    const login = await fetch(login_url, { method: 'POST', redirect: 'manual' });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await fetch(new URL('/api/runs', url), { headers: { cookie } })).status).toBe(200);
    expect((await fetch(login_url, { method: 'POST' })).status).toBe(401);
    const authorization = `Bearer ${readFileSync(token_file, 'utf8').trim()}`;
    expect((await fetch(new URL('/api/inbox', url), { headers: { authorization } })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await done).toMatchObject({ exitCode: 0 });
    expect(existsSync(token_file)).toBe(false);
  }));

it('a port that another program has is told as such', () =>
  inBox(async (box) => {
    const { child, done } = box.start(['serve', '--port', '0', '--json']);
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
    const line = await box.until('the desk listens', () => text.includes('\n') && text);
    const { port } = new URL((JSON.parse(line) as { url: string }).url);
    const second = await box.call('serve', '--port', port, '--json');
    expect(second.exitCode).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ code: 'PORT_TAKEN' });
    expect(second.stderr).toContain('PORT_TAKEN');
    child.kill('SIGINT');
    await done;
  }));
