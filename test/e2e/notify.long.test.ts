/** Notices of a run that a person started: the receiver is told of the question by the keeper itself, and doctor tells what did not arrive. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('the receiver of a question hears it once, also one that first refuses; doctor names a receiver that does not hear', () =>
  inBox(async (box) => {
    const got: string[] = [];
    let refusals = 2;
    const server = createServer((request, answer) => {
      if (refusals-- > 0) answer.statusCode = 503;
      else got.push(String(request.headers['webhook-id']));
      request.resume();
      answer.end();
    });
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    const { port } = server.address() as AddressInfo;
    const config = (path: string) =>
      `notify: [{webhook: 'http://127.0.0.1:${port}${path}'}]\npolicy: {restarts: 0}\n`;
    box.policy({});
    writeFileSync(join(box.home, 'mayday.yaml'), config('/in'));
    const ran = await box.call('run', '--json', '--check', 'test -f a.txt', 'x', '--', 'true');
    expect(ran.exitCode, ran.stderr).toBe(3);
    const [question] = (JSON.parse(ran.stdout) as { questions: { id: string }[] }).questions;
    await box.until('the receiver is told', () => got.length > 0);
    expect(got).toEqual([question?.id]);
    server.closeAllConnections();
    server.close();
    const abandoned = await box.call('answer', question?.id ?? '', 'abandon', '--note', 'no');
    expect(abandoned.exitCode, abandoned.stderr).not.toBe(2);
    const told = await box.until('doctor tells', async () => {
      const { stdout } = await box.call('doctor', '--json');
      const { findings } = JSON.parse(stdout) as { findings: { what: string; says: string }[] };
      return findings.find(({ what }) => what === 'notify');
    });
    expect(told.says).toMatch(
      new RegExp(`webhook 127.0.0.1:${port}: 1 message not delivered since .*ECONNREFUSED`),
    );
    expect(got).toHaveLength(1);
  }));

it('the first run of a home is told too, however short it is', () =>
  inBox(async (box) => {
    const heard = join(box.folder, 'heard.json');
    box.policy({});
    writeFileSync(
      join(box.home, 'mayday.yaml'),
      `notify: [{command: [sh, -c, "cat > '${heard}'"], events: [delivered]}]\n`,
    );
    const ran = await box.call('run', '--check', 'test -f a.txt', 'x', '--', 'touch', 'a.txt');
    expect(ran.exitCode, ran.stderr).toBe(0);
    const text = await box.until(
      'the command is told',
      () => existsSync(heard) && readFileSync(heard, 'utf8'),
    );
    expect(text).toContain('delivered');
  }));
