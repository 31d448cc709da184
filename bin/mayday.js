#!/bin/sh
':' //; ulimit -S -c 0; case $(node --version 2>&1) in v2[4-9].* | v[3-9][0-9].*) exec node --disable-sigusr1 -- "$0" "$@" ;; esac
':' //; own=$(dirname -- "$(readlink -f -- "$0")")/../node_modules/.bin/node; [ ! -x "$own" ] || exec "$own" --disable-sigusr1 -- "$0" "$@"
':' //; exec node -- "$0" "$@"
// Plain JavaScript on purpose: it must run, and speak clearly, on any Node. The lines for `sh` above keep from an agent: a debugger, which
// Node opens at a signal before the first line of a script runs; a core dump, which holds the key; and files of variables and options,
// which Node reads where the words of a script name one (`--env-file`), unless two dashes stand before the script.
const { existsSync, readdirSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');

const NEEDED = 24;
const ROOT = `${__dirname}/..`;
const BUNDLE = `${ROOT}/dist/programs/main.mjs`;

// Node would open its debugger: an agent that may signal this process could run what it wants here.
process.on('SIGUSR1', () => {});
void start();

async function start() {
  if (process.platform === 'win32') {
    fail('Mayday does not run on Windows', 'use WSL 2, where Linux is first class');
  }
  if (Number(process.versions.node.split('.')[0]) < NEEDED) {
    // A checkout brings its own Node 24 by `npm ci`; use it when somebody calls us without npm's PATH.
    const own = `${ROOT}/node_modules/.bin/node`;
    if (!existsSync(own) || process.env.MAYDAY_REEXEC) {
      fail(
        `Mayday needs Node ${NEEDED} or newer; this is ${process.version}`,
        'install Node 24 (nodejs.org, nvm, fnm, your package manager), then call mayday again',
      );
    }
      process.exit(await runWith(own));
  }
  delete process.env.MAYDAY_REEXEC;
  // Compiled code is run as it lies there. In Mayday's own folder it is hidden from agents; before the first run there is none.
  const home = process.env.MAYDAY_HOME || `${process.env.HOME}/.mayday`;
  if (existsSync(home)) enableCompileCache(`${home}/compiled`);
  try {
    await import(isBundleCurrent() ? BUNDLE : '../src/cli/main.ts');
  } catch (error) {
    if (error.code !== 'EMFILE' && error.code !== 'ENFILE') throw error;
    console.error(
      `mayday: no more files can be opened (TOO_MANY_FILES)\n  do          ulimit -n 1024, then call mayday again`,
    );
    process.exit(1);
  }
}

// A package has only the bundle. In a checkout the bundle of the last `npm ci` is taken as long as nothing in `src` changed since.
function isBundleCurrent() {
  const source = `${ROOT}/src`;
  if (!existsSync(source)) return true;
  const made = statSync(BUNDLE, { throwIfNoEntry: false })?.ctimeMs;
  if (made === undefined) return false;
  return isOlder(source, made);
}

// Twice as fast as a recursive `readdirSync`.
function isOlder(folder, moment) {
  if (statSync(folder).ctimeMs >= moment) return false;
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const inside = `${folder}/${entry.name}`;
    return entry.isDirectory() ? isOlder(inside, moment) : statSync(inside).ctimeMs < moment;
  });
}

// This process is what the person sees and signals: every signal goes on to the real one, and its end is ours.
async function runWith(node) {
  const { spawn } = require('node:child_process');
  const child = spawn(node, ['--disable-sigusr1', '--', __filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, MAYDAY_REEXEC: '1' },
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
    process.on(name, () => child.kill(name));
  }
  return await new Promise((settle) => {
    child.once('error', (error) =>
      fail(`the Node of this checkout cannot be started: ${error.message}`, 'npm ci'),
    );
    child.once('close', (status, signal) => {
      if (signal === null) return settle(status ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  });
}

function fail(what, advice) {
  console.error(`mayday: ${what} (UNSUPPORTED_RUNTIME)\n  do          ${advice}`);
  process.exit(1);
}
