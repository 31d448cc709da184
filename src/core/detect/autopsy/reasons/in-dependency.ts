/** `inDependency`: it fails inside a package that the project takes from elsewhere, where no edit of the project is read. */
import { quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FindReason, thenRun } from './find-reason.ts';
import { factsAbout, tellFacts } from './record-facts.ts';

const FAILS_AT = /(?<![\w.@-])((?:[A-Za-z]:)?[\w.@+-]*(?:\/[\w.@+-]+)+\.\w{1,5})(?::\d|\(\d|", line \d)/g;

/** Where the packages of a language lie, how its project names them, and what shows who brings one. */
const KEPT: readonly (readonly [path: RegExp, manifest: string, brings: string])[] = [
  [
    /\/\.cargo\/(?:registry\/src\/[^/]+|git\/checkouts)\/([\w-]+?)-(\d[\w.+-]*)\//,
    'Cargo.toml',
    'cargo tree -i',
  ],
  [
    /\/node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(@[\w.-]+\/[\w.-]+|[\w.-]+)\//,
    'package.json',
    'npm ls',
  ],
  [/\/(?:site|dist)-packages\/([\w-]+)\//, 'the requirements of the project', 'pip show'],
  [/\/pkg\/mod\/((?:[\w.-]+\/)*[\w.-]+)@v([\w.+-]+)\//, 'go.mod', 'go mod why -m'],
  [/\/gems\/([\w-]+?)-(\d[\w.]*)\//, 'the Gemfile', 'bundle info'],
];

export const inDependency: FindReason = (record) => {
  const { turn, count } = record.failure;
  const vain = editedInVain(record);
  const places = [...turn.output.matchAll(FAILS_AT)].map(([, path = '']) => path);
  const kept = places.map((path) => KEPT.find(([folder]) => folder.test(path)));
  const [by] = kept;
  const isReached = vain.split(', ').some((path) => turn.output.split(/[\s:(]+/).includes(path));
  if (editsFile(turn) || vain === '' || isReached || by === undefined || kept.includes(undefined))
    return null;
  const [folder, manifest, brings] = by;
  const [, name = '', version] = folder.exec(places[0] ?? '') ?? [];
  const facts = tellFacts(factsAbout(record, [name]));
  return [
    `it fails inside ${name}${version === undefined ? '' : ` ${version}`}, a dependency, in ${count} runs: ${quote(turn.errorLine)}. ` +
      `No place in the project's own code is named; the edits of ${vain} did not change it${facts === '' ? '' : `. ${facts}`}`,
    `Change how ${name} is asked for in ${manifest}: its version, or the features and options that the message names ` +
      `(\`${brings} ${name}\` shows what brings it); ${thenRun(record)}`,
  ];
};
