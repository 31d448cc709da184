/** Runs the shell blocks of a page one after the other, as a reader would: same folder, same home, RUN and QUESTION filled in. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Box } from '../e2e/box.ts';
import { runWithOutput } from './run-with-output.ts';

const BIN = resolve(import.meta.dirname, '../../bin/mayday.js');

export class ShellPage {
  readonly #box: Box;
  readonly #env: NodeJS.ProcessEnv;
  readonly #known = new Set<string>();
  #cwd: string;
  #run = '';

  constructor(box: Box) {
    this.#box = box;
    this.#cwd = box.repository;
    const bin = join(box.folder, 'bin');
    const person = join(box.folder, 'person');
    mkdirSync(bin);
    mkdirSync(person);
    const mayday = `exec ${quoted(process.execPath)} ${quoted(BIN)}`;
    script(join(bin, 'mayday'), `${mayday} "$@"`);
    script(join(bin, 'npx'), `shift; ${mayday} "$@"`);
    script(join(bin, 'node'), `exec ${quoted(process.execPath)} "$@"`);
    writeFileSync(join(person, '.gitconfig'), '[user]\n\tname = Reader\n\temail = reader@localhost\n');
    this.#env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: person,
      MAYDAY_HOME: box.home,
      GITHUB_STEP_SUMMARY: join(box.folder, 'summary.md'),
    };
  }

  async run(text: string): Promise<{ readonly exitCode: number | null; readonly output: string }> {
    const words = this.#fill(text);
    const where = join(this.#box.folder, 'where');
    const { exitCode, output } = await runWithOutput(
      ['sh', '-e', '-c', `trap 'pwd > ${quoted(where)}' EXIT\n${words}`],
      { cwd: this.#cwd, env: this.#env },
    );
    if (existsSync(where)) this.#cwd = readFileSync(where, 'utf8').trim();
    return { exitCode, output };
  }

  #fill(text: string): string {
    if (/\bRUN\b/.test(text)) this.#run = this.#latestRun();
    const question = /\bQUESTION\b/.test(text)
      ? ((this.#json('inbox') as { id: string }[])[0]?.id ?? 'none')
      : '';
    return text.replaceAll(/\bRUN\b/g, this.#run).replaceAll(/\bQUESTION\b/g, question);
  }

  #latestRun(): string {
    const ids = (this.#json('ps') as { run_id: string }[]).map(({ run_id }) => run_id);
    const latest = ids.find((id) => !this.#known.has(id)) ?? this.#run;
    for (const id of ids) this.#known.add(id);
    return latest;
  }

  #json(command: string): unknown {
    return JSON.parse(
      execFileSync(process.execPath, [BIN, command, '--json'], { env: this.#env, encoding: 'utf8' }),
    );
  }
}

function script(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
