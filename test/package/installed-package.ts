/** The package as somebody else gets it: packed from a copy, unpacked into an empty folder. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = [
  'package.json',
  'bin',
  'src',
  'desk',
  'scripts',
  'drills',
  'demo',
  'tsconfig.json',
  'tsconfig.build.json',
];
const PAGES = ['docs', 'README.md', 'SECURITY.md', 'LICENSE', 'CHANGELOG.md'];

export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), 'mayday-package-'));
  /** An empty project that has Mayday installed, and is a git repository. */
  readonly project = join(this.folder, 'project');
  readonly home = join(this.folder, 'home');
  readonly files: readonly string[];
  readonly packedBytes: number;
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    this.env = {
      ...process.env,
      PATH: [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      HOME: join(this.folder, 'person'),
      MAYDAY_HOME: this.home,
      npm_config_cache: join(this.folder, 'npm-cache'),
      npm_config_update_notifier: 'false',
    };
    const tarball = this.#pack();
    this.packedBytes = statSync(tarball).size;
    this.files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    this.#install(tarball);
  }

  bin(): string {
    return join(this.project, 'node_modules/mayday/bin/mayday.js');
  }

  manifest(): Readonly<Record<string, unknown>> {
    return JSON.parse(readFileSync(join(this.project, 'node_modules/mayday/package.json'), 'utf8'));
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #pack(): string {
    const copy = join(this.folder, 'copy');
    mkdirSync(copy);
    for (const name of [...SOURCES, ...PAGES])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    // The workspace holds a Node for checkouts; its absence here shows that the package does not need it.
    execFileSync('npm', ['pack', '--workspaces=false', '--pack-destination', this.folder], {
      cwd: copy,
      env: this.env,
      stdio: 'pipe',
    });
    const [name = ''] = readdirSync(this.folder).filter((entry) => entry.endsWith('.tgz'));
    return join(this.folder, name);
  }

  #install(tarball: string): void {
    const modules = join(this.project, 'node_modules');
    mkdirSync(join(modules, 'mayday'), { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'mayday'), '--strip-components=1']);
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', this.project]);
    const git = [
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@localhost',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'first',
    ];
    execFileSync('git', git, { cwd: this.project });
  }
}
