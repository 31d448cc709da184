/**
 * `DEFENCES`: what stands between an attacker and a green run, each as a switch: the words of the source to take out, and the tests of
 * which at least one must then fail. A defence that can be taken out unnoticed is no defence.
 */
export interface Defence {
  readonly defence: string;
  readonly file: string;
  /** Exactly one place of the file. */
  readonly from: string;
  readonly to: string;
  readonly proof: { readonly file: string; readonly titles: readonly string[] };
}

const MAIL = 'test/supervise/mail/read-mail.test.ts';
const ROWS = 'test/supervise/forged-rows.test.ts';
const WITNESS = 'test/supervise/prove-again.test.ts';
const OUTSIDE = 'test/e2e/outside-programs.long.test.ts';
const WORD = 'test/core/vocabulary/events/word.test.ts';
const CACHES = 'test/e2e/tool-caches.long.test.ts';
const SINKS = 'test/act/deliver/sinks.test.ts';

/** In the order of the list of forgeries. */
export const DEFENCES: readonly Defence[] = [
  {
    defence: 'only signed letters are words of a person',
    file: 'src/supervise/mail/read-mail.ts',
    from: `: refused('not_signed');`,
    to: `: { type: 'word', word, letter: { word: text ?? '', at: 0, nonce: '', mac: '' } };`,
    proof: { file: MAIL, titles: ['without a signature is refused'] },
  },
  {
    defence: 'the signature is checked',
    file: 'src/supervise/mail/read-mail.ts',
    from: `if (key === null || !isSigned(key, runId, letter)) return refused('wrong_signature');`,
    to: '',
    proof: { file: MAIL, titles: ['is refused when another key signed it, or there is none'] },
  },
  {
    defence: 'mail is a closed list',
    file: 'src/supervise/mail/read-mail.ts',
    from: `const word = safeParse(WordSchema, said).data;`,
    to: `const word = said as Word | undefined;`,
    proof: { file: MAIL, titles: ['is refused, signed or not', 'does not ride on a word that may be said'] },
  },
  {
    defence: 'a letter is heard once',
    file: 'src/supervise/mail/hear-mail.ts',
    from: 'heard: journal.state.nonces',
    to: 'heard: []',
    proof: {
      file: 'test/supervise/forged-mail.test.ts',
      titles: ['a letter that was heard, or that came too late, is not heard again'],
    },
  },
  {
    defence: 'a letter names its run',
    file: 'src/supervise/mail/mail.ts',
    from: `['mayday mail 1', runId, word, at, nonce]`,
    to: `['mayday mail 1', '', word, at, nonce]`,
    proof: { file: MAIL, titles: ['is heard by the run it was said to, and by no other'] },
  },
  {
    defence: 'the home is covered',
    file: 'src/platform/container/hide-home.ts',
    from: "? ['--put', stage, home]",
    to: '? []',
    proof: {
      file: 'test/platform/container/hide-home.test.ts',
      titles: ['sees only what is meant for it, and writes there'],
    },
  },
  {
    defence: 'a command does not start where its cover did not hold',
    file: 'src/platform/container/attendant.ts',
    from: 'hider === undefined || !isUntested;',
    to: 'true;',
    proof: {
      file: 'test/platform/container/hide-home.test.ts',
      titles: ['as a command starts with weaker words where the strongest do not hold'],
    },
  },
  {
    defence: 'a cover begins nothing without its whole order',
    file: 'src/platform/container/ready-cover.ts',
    from: ' or @told != $count + 1;',
    to: ';',
    proof: {
      file: 'test/platform/container/ready-cover.test.ts',
      titles: ['begins nothing where its order was not written to the end'],
    },
  },
  {
    defence: 'root gives up what could undo the cover',
    file: 'src/platform/container/scoped-cover.ts',
    from: "for my $right (${Object.values(GIVEN_UP).join(', ')}) {",
    to: 'for my $right () {',
    proof: {
      file: 'test/e2e/hidden-home.test.ts',
      titles: ['an agent of root finds nothing of the home, by any way'],
    },
  },
  {
    defence: 'root looks into no process outside',
    file: 'src/platform/container/scoped-cover.ts',
    from: 'or syscall(446, $domain, 0) != 0;',
    to: ';',
    proof: {
      file: 'test/e2e/hidden-home.test.ts',
      titles: ['an agent of root finds nothing of the home, by any way'],
    },
  },
  {
    defence: 'checks have temporary folders of their own',
    file: 'src/act/run-checks.ts',
    from: 'ownTemporary: [workspace.repository, workspace.commonDir ?? workspace.repository],',
    to: '',
    proof: { file: CACHES, titles: ['into a temporary folder, for code of its own to find'] },
  },
  {
    defence: 'another user gets no file with a second name',
    file: 'src/platform/process/agent-user.ts',
    from: `'(', '-type', 'd', '-o', '-links', '1', ')'`,
    to: '',
    proof: {
      file: 'test/platform/process/agent-user.test.ts',
      titles: ['a file of root that is linked into it stays with root'],
    },
  },
  {
    defence: 'only a person speaks as one',
    file: 'src/supervise/mail/assert-person.ts',
    from: 'if (run !== null) throw notAPerson(what, run);',
    to: '',
    proof: {
      file: 'test/use-cases/speaking-to-a-run.test.ts',
      titles: ['an agent in the place of the person is refused'],
    },
  },
  {
    defence: 'the sockets of terminal servers are out of reach',
    file: 'src/act/hidden-from.ts',
    from: '? personSockets()',
    to: '? { ...personSockets(), emptied: [] }',
    proof: { file: OUTSIDE, titles: ['accepts no work for the agent'] },
  },
  {
    defence: 'the session bus is out of reach',
    file: 'src/act/hidden-from.ts',
    from: '? personSockets()',
    to: '? { ...personSockets(), shut: [] }',
    proof: { file: OUTSIDE, titles: ['does nothing for the agent'] },
  },
  {
    defence: 'a word is not told apart where docker obeys the agent',
    file: 'src/core/vocabulary/events/word.ts',
    from: '!homeHidden || doors.length > 0 ||',
    to: '!homeHidden ||',
    proof: { file: WORD, titles: ['a word is not told apart from one of an agent that'] },
  },
  {
    defence: 'a word is not told apart where the agent was root',
    file: 'src/core/vocabulary/events/word.ts',
    from: '> 0 || asRoot;',
    to: '> 0;',
    proof: { file: WORD, titles: ['a word is not told apart from one of an agent that'] },
  },
  {
    defence: 'a command was decided',
    file: 'src/supervise/mail/row-guard.ts',
    from: 'if (body === undefined) {',
    to: 'if (body === undefined) return now;\n    if (body === null) {',
    proof: { file: ROWS, titles: ['a command that is planted while nobody keeps the run'] },
  },
  {
    defence: 'a timer was decided',
    file: 'src/supervise/mail/row-guard.ts',
    from: 'if (rows.every(({ name, dueAt }) => timers.get(name) === dueAt)) return;',
    to: 'if (rows.length >= 0) return;',
    proof: { file: ROWS, titles: ['a timer that an agent plants or moves does not ring'] },
  },
  {
    defence: 'a hold is signed',
    file: 'src/record/signed-hold.ts',
    from: 'signer === null || signer.isSigned(JSON.stringify(hold), mac) ? hold : null',
    to: 'hold',
    proof: { file: ROWS, titles: ['a hold that an agent plants keeps no run waiting'] },
  },
  {
    defence: 'a keeper takes only a journal of keepers',
    file: 'src/supervise/lease/assert-own-journal.ts',
    from: 'if (event === null) return;',
    to: 'if (event !== undefined) return;',
    proof: { file: ROWS, titles: ['is taken by no keeper, and again once the foreign lines are gone'] },
  },
  {
    defence: 'an earlier line is as it was anchored',
    file: 'src/record/sqlite/anchored-journal.ts',
    from: 'if (eventsHash(runId, from, events) !== hash) changed.push(from);',
    to: '',
    proof: { file: ROWS, titles: ['is taken by no keeper where an earlier line was changed'] },
  },
  {
    defence: 'an approval of a lesson is signed',
    file: 'src/supervise/lessons/lesson-index.ts',
    from: 'key !== null && decision.mac === decisionMac(key, decision);',
    to: 'key !== null && decision !== null;',
    proof: {
      file: 'test/context/self-approval.test.ts',
      titles: ['by writing an approval of a person into the ledger: it does not count'],
    },
  },
  {
    defence: 'the ledger is a chain that was anchored',
    file: 'src/record/sqlite/verify.ts',
    from: 'await attempt(head.runId, () => checkLedger(connection, head, report));',
    to: '',
    proof: { file: 'test/supervise/tampered-ledger.test.ts', titles: ['does not verify'] },
  },
  {
    defence: 'an exit note has the number that the check was never given',
    file: 'src/platform/process/run-command.ts',
    from: 'return note?.seal === seal ? note : null;',
    to: 'return note;',
    proof: {
      file: 'test/platform/container/hide-home.test.ts',
      titles: ['a command that writes its own exit note ends as it ends'],
    },
  },
  {
    defence: 'a branch is the run’s by its recorded commit',
    file: 'src/act/deliver/deliver-branch.ts',
    from: 'const isEarlier = tip !== null && earlier.includes(tip);',
    to: 'const isEarlier = tip !== null;',
    proof: {
      file: 'test/act/deliver/deliver-branch.test.ts',
      titles: ['does not take a branch for its own because a commit says so'],
    },
  },
  {
    defence: 'work is merged where its own commit is',
    file: 'src/act/deliver/deliver-merge.ts',
    from: 'if (commit === on.made.commit) return commit;',
    to: 'if (commit !== second) return commit;',
    proof: { file: SINKS, titles: ['does not take the work for merged because a commit says so'] },
  },
  {
    defence: 'a merge goes onto the branch that the gate saw',
    file: 'src/act/deliver/deliver-merge.ts',
    from: 'if (target !== null && target !== tip) return movedTarget(spec, tip);',
    to: '',
    proof: { file: SINKS, titles: ['goes only onto the branch that the gate saw'] },
  },
  {
    defence: 'a target that never stays is a question',
    file: 'src/core/decide/on-gate.ts',
    from: 'delivery.tries > policy.delivery_retries',
    to: 'delivery.tries > Infinity',
    proof: { file: 'test/core/gates/moved-target.test.ts', titles: ['that never stays is a question'] },
  },
  {
    defence: 'a branch of the person that moved needs an explanation',
    file: 'src/act/compose/unexplained-moves.ts',
    from: 'for (const move of moved) if (!(await isExplained(move))) unexplained.push(move);',
    to: '',
    proof: {
      file: 'test/act/compose/unexplained-moves.test.ts',
      titles: ['reaches for the person’s branches'],
    },
  },
  {
    defence: 'a replaced object is a move',
    file: 'src/act/compose/unexplained-moves.ts',
    from: 'name.startsWith(REPLACEMENTS) && !(name in refs)',
    to: 'name === "" && !(name in refs)',
    proof: {
      file: 'test/act/compose/unexplained-moves.test.ts',
      titles: ['has git show another object in place of a judged one'],
    },
  },
  {
    defence: 'history that no gate saw is not kept',
    file: 'src/act/deliver/unjudged-path.ts',
    from: 'if (judged.get(path) !== version) return rawToText(path);',
    to: 'if (path === version) return rawToText(path);',
    proof: { file: 'test/act/deliver/kept-commits.test.ts', titles: ['is not kept with content'] },
  },
  {
    defence: 'processes left in the workspace are told at the gate',
    file: 'src/act/run-checks.ts',
    from: 'return found.slice(0, MAX_PROCESSES);',
    to: 'return found.slice(0, 0 * MAX_PROCESSES);',
    proof: {
      file: 'test/act/compose/compose.test.ts',
      titles: ['is told at the gate while it works in the workspace'],
    },
  },
  {
    defence: 'files of the check tree are sealed',
    file: 'src/act/checks/tree-seal.ts',
    from: 'return stamps.filter(({ rawPath, identity }) => identity !== seal[rawPath]).map(({ rawPath }) => rawPath);',
    to: 'return stamps.filter(() => false).map(({ rawPath }) => rawPath);',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['say which files of the tree were changed while they ran, also when they were put back'],
    },
  },
  {
    defence: 'programs of the person are as they were before the agent',
    file: 'src/act/checks/user-tools.ts',
    from: 'found.push(await lookAt(folder, namesIn(folder)));',
    to: 'void folder;',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when a program of the person was replaced'],
    },
  },
  {
    defence: 'a second name of a folder of programs is looked at on its own',
    file: 'src/act/checks/user-tools.ts',
    from: 'Map.groupBy(folders, realOrSame)',
    to: "Map.groupBy(folders, () => '')",
    proof: {
      file: 'test/act/checks/user-tools.test.ts',
      titles: ['a second name of a folder on the PATH is looked at on its own'],
    },
  },
  {
    defence: 'a new program that a check starts is told',
    file: 'src/act/checks/user-tools.ts',
    from: 'if (started.has(name)) return false;',
    to: '',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when a program of the person was replaced'],
    },
  },
  {
    defence: 'files of unknown tools in the home are as they were',
    file: 'src/act/checks/user-settings.ts',
    from: 'kept.others === undefined ? [] :',
    to: 'kept.others !== null ? [] :',
    proof: {
      file: 'test/act/checks/user-settings.test.ts',
      titles: ['settings of a tool that no list names, directly in the home'],
    },
  },
  {
    defence: 'what the test configuration loads is taken from the base',
    file: 'src/core/judge/configured-files.ts',
    from: 'if (found !== undefined) loaded.add(found);',
    to: '',
    proof: {
      file: 'test/core/judge/judging-parts.test.ts',
      titles: ['is found in %s: %s'],
    },
  },
  {
    defence: 'caches of tools are layered for the agent',
    file: 'src/act/tool-caches.ts',
    from: '.filter((to) => existsSync(to))',
    to: '.filter((to) => to === "")',
    proof: { file: CACHES, titles: ['into a cache %s is not believed'] },
  },
  {
    defence: 'a folder that appeared in the home is empty for checks',
    file: 'src/act/tool-caches.ts',
    from: '.filter((path) => !before.has(path))',
    to: '.filter((path) => path === "")',
    proof: { file: CACHES, titles: ['into a cache that it made in a folder of yours is not believed'] },
  },
  {
    defence: 'caches among linked modules are layered too',
    file: 'src/act/tool-caches.ts',
    from: `if (state.options.nodeModules !== 'link') return [];`,
    to: 'if (state !== null) return [];',
    proof: { file: CACHES, titles: ['into a cache among your linked modules is not believed'] },
  },
  {
    defence: 'a deleted setting is a question',
    file: 'src/act/checks/user-settings.ts',
    from: 'return isThere ? [] : [at];',
    to: 'return isThere ? [] : [];',
    proof: { file: CACHES, titles: ['by deleting a setting of yours is not believed'] },
  },
  {
    defence: 'a linked program is what it leads to',
    file: 'src/act/checks/tool-at.ts',
    from: 'own.isSymbolicLink();',
    to: 'own.isFIFO();',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when the file behind a linked program was replaced'],
    },
  },
  {
    defence: 'a linked program is looked at again, although its link is the same',
    file: 'src/act/checks/tool-at.ts',
    from: 'isSame(target.stats, there)',
    to: 'true',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when the file behind a linked program was replaced'],
    },
  },
  {
    defence: 'a linked program in another folder is another one',
    file: 'src/act/checks/tool-at.ts',
    from: '&& target.path === realpathSync.native(path)',
    to: '',
    proof: {
      file: 'test/act/checks/user-tools.test.ts',
      titles: ['a linked tool is seen that is now reached in another folder'],
    },
  },
  {
    defence: 'a linked program whose folder became a link is another one',
    file: 'src/act/checks/tool-at.ts',
    from: 'target?.folders?.every(isRealNow) === true',
    to: 'target !== null && target.folders !== null',
    proof: {
      file: 'test/act/checks/user-tools.test.ts',
      titles: ['a linked tool is seen too where the folder that it lay in became a link'],
    },
  },
  {
    defence: 'a link that leads elsewhere and back while a check runs is told',
    file: 'src/act/checks/user-tools.ts',
    from: ', ...differing(before.links, now.links)',
    to: '',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when a check leads the link elsewhere, or elsewhere and back'],
    },
  },
  {
    defence: 'what a check writes into a cache is thrown away',
    file: 'src/act/checks/verify-tree.ts',
    from: 'owns: [spec.path, temporary] };',
    to: 'owns: [spec.path, temporary], layers: [] };',
    proof: { file: CACHES, titles: ['in code under test, for the check after it, is not believed'] },
  },
  {
    defence: 'settings are looked at again for each check',
    file: 'src/act/checks/verify-tree.ts',
    from: 'over: over ?? [],',
    to: '',
    proof: { file: CACHES, titles: ['in code under test, into a setting or a program'] },
  },
  {
    defence: 'settings above the check tree are as they were',
    file: 'src/act/checks/user-settings.ts',
    from: '...above].toSorted()',
    to: '...above.slice(0, 0)].toSorted()',
    proof: {
      file: 'test/act/checks/user-settings.test.ts',
      titles: ['settings that tools find above the check tree'],
    },
  },
  {
    defence: 'Mayday runs no program from the home',
    file: 'src/platform/process/system-program.ts',
    from: 'all.filter((program) => !isBelow(program, HOME))',
    to: 'all.filter((program) => isBelow(program, HOME))',
    proof: {
      file: 'test/platform/process/system-program.test.ts',
      titles: ['a git in the home is passed over where the machine has another'],
    },
  },
  {
    defence: 'what was changed is told until a person was asked',
    file: 'src/act/checks/prepare-check-tree.ts',
    from: 'asked.includes(nameOf(name)) && (kept?.told[name] ?? first[name])',
    to: '(kept?.told[name] ?? first[name])',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when the person’s own modules, linked into the tree'],
    },
  },
  {
    defence: 'what judges is also taken from the base',
    file: 'src/act/checks/check-variants.ts',
    from: `if (base !== null) variants.push({ name: 'base', commands: group.commands, ...base });`,
    to: 'if (base !== null) variants.push();',
    proof: { file: 'test/act/checks/verify-tree.test.ts', titles: ['also run as they were before the work'] },
  },
  {
    defence: 'configuration and hooks of git are compared',
    file: 'src/act/workspace/git-state.ts',
    from: '.filter((name) => files[name] !== workspace.gitState[name])',
    to: '.filter(() => false)',
    proof: {
      file: 'test/act/workspace/make-workspace.test.ts',
      titles: ['are compared with what they were before the agent'],
    },
  },
  {
    defence: 'nothing is delivered into a git directory',
    file: 'src/act/deliver/forbidden-place.ts',
    from: 'if (names.some(isGitName) || (await liesInGitDirectory(real))) return',
    to: 'if (names.length === 0) return',
    proof: { file: SINKS, titles: ['takes no work once a link leads from it into a git directory'] },
  },
  {
    defence: 'a delivery was begun at the time that was decided',
    file: 'src/act/deliver/deliver-directory.ts',
    from: 'const mark = JSON.stringify({ tree: spec.tree, path: spec.path, at: spec.at });',
    to: 'const mark = begun;',
    proof: {
      file: SINKS,
      titles: ['asks before it replaces, also where a note in the run’s folder says that it was begun'],
    },
  },
  {
    defence: 'the witness compares the commit with the judged tree',
    file: 'src/act/rerun-delivery.ts',
    from: 'else problems.push(...(await compareContent(git, clone, spec, spec.workspace, work.commit)));',
    to: '',
    proof: { file: WITNESS, titles: ['with a part of the judged tree'] },
  },
  {
    defence: 'the witness runs the checks again',
    file: 'src/supervise/prove-again.ts',
    from: 'const failed = (isWaived ? [] : checks).filter(({ passed }) => !passed);',
    to: 'const failed = checks.filter(() => isWaived && !isWaived);',
    proof: { file: WITNESS, titles: ['with failed checks told as passed'] },
  },
  {
    defence: 'the witness wants a word behind each answer',
    file: 'src/supervise/prove-again.ts',
    from: 'answers.filter(({ question }) => !answered.has(question))',
    to: 'answers.filter(({ question }) => answered.has(question) && !answered.has(question))',
    proof: { file: WITNESS, titles: ['by a waiver that no person spoke'] },
  },
  {
    defence: 'the home is hidden from what the witness runs',
    file: 'src/act/rerun-delivery.ts',
    from: 'spec.hidden && { ...spec.hidden, owns: [folder], ownTemporary: [folder, from] }',
    to: 'undefined',
    proof: { file: WITNESS, titles: ['and its code, run again, sees nothing of the record or the key'] },
  },
  {
    defence: 'the witness wants the signature of a person',
    file: 'src/supervise/mail/mail.ts',
    from: 'if (key === null || nonce === undefined || seal === undefined) return false;',
    to: 'if (word !== null) return true;',
    proof: { file: WITNESS, titles: ['by a word %s'] },
  },
];
