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
const JUDGES = 'test/act/checks/changed-judges.test.ts';
const SINKS = 'test/act/deliver/sinks.test.ts';
const PLANTED = 'test/e2e/planted-programs.test.ts';
const REPOSITORY = 'test/act/workspace/repository-changes.test.ts';

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
    from: '!hider || !isUntested;',
    to: 'true;',
    proof: {
      file: 'test/platform/container/hide-home.test.ts',
      titles: ['as a command starts with weaker words where the strongest do not hold'],
    },
  },
  {
    defence: 'agents and checks inherit no file',
    file: 'src/platform/container/start-agent.ts',
    from: 'if ((Number.parseInt(flags, 8) & CLOSED_BY_EXEC) === 0) closeSync(Number(name));',
    to: '',
    proof: {
      file: 'test/e2e/file-handles.test.ts',
      titles: ['agent, check and set-up of $who get no file but their three'],
    },
  },
  {
    defence: 'the file of the cover is closed before its program begins',
    file: 'src/platform/container/cover-script.ts',
    from: 'echo begins >&3 && exec 3>&- && exec',
    to: 'echo begins >&3 && exec',
    proof: {
      file: 'test/platform/container/cover-script.test.ts',
      titles: ['tells of a program that is not there, and leaves it no file but its own'],
    },
  },
  {
    defence: 'root gives up what could undo the cover',
    file: 'src/platform/container/cover-script.ts',
    from: '--bounding-set=${GIVEN_UP} --inh',
    to: '--inh',
    proof: {
      file: 'test/e2e/hidden-home.test.ts',
      titles: ['an agent of root finds nothing of the home, by any way'],
    },
  },
  {
    defence: 'root looks into no process outside',
    file: 'src/platform/container/cover-script.ts',
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
    file: 'src/act/compose/unexplained-changes.ts',
    from: 'if (!leads(moves, `${was}`, is)) return false;',
    to: 'if (!leads(moves, `${was}`, is)) return true;',
    proof: {
      file: 'test/act/compose/unexplained-changes.test.ts',
      titles: ['reaches for the person’s branches'],
    },
  },
  {
    defence: 'a replaced object is a move',
    file: 'src/act/compose/unexplained-changes.ts',
    from: "if (file.startsWith('refs/replace/')) return false;",
    to: "if (file.startsWith('refs/replace/')) return true;",
    proof: {
      file: 'test/act/compose/unexplained-changes.test.ts',
      titles: ['has git show another object in place of a judged one'],
    },
  },
  {
    defence: 'new objects of the repository are read',
    file: 'src/act/workspace/forged-objects.ts',
    from: "return hash.digest('hex') === id;",
    to: 'return true;',
    proof: {
      file: 'test/act/deliver/deliver-branch.test.ts',
      titles: ['does not take the object that an agent put in the place of one that it delivers'],
    },
  },
  {
    defence: 'git writes a branch and its log through no link',
    file: 'src/act/deliver/repository-git.ts',
    from: 'if (facts?.isSymbolicLink() === true) return path;',
    to: '',
    proof: {
      file: 'test/act/deliver/deliver-branch.test.ts',
      titles: ['does not write through the link that an agent made of'],
    },
  },
  {
    defence: 'history that no gate saw is not kept',
    file: 'src/act/deliver/delivered-history.ts',
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
    from: 'namesIn(folder).map((name) => folder + name),',
    to: "namesIn('').map((name) => folder + name),",
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
    defence: 'what a check reads is observed',
    file: 'src/act/checks/read-files.ts',
    from: 'if (atimeMs !== 0) read.push(rawPath);',
    to: 'if (atimeMs < 0) read.push(rawPath);',
    proof: { file: JUDGES, titles: ['a list of tests', 'another makefile before the Makefile'] },
  },
  {
    defence: 'a file that the check line names is told',
    file: 'src/core/judge/changed-judges.ts',
    from: 'else if (line !== undefined) judges.push',
    to: "else if (line === '') judges.push",
    proof: { file: JUDGES, titles: ['a program of awk that the line names'] },
  },
  {
    defence: 'what only judges name is told',
    file: 'src/core/judge/changed-judges.ts',
    from: 'if (by !== null) judges.push',
    to: "if (by === ' ') judges.push",
    proof: { file: JUDGES, titles: ['a helper that is sourced two levels deep'] },
  },
  {
    defence: 'what the check finds by itself is told',
    file: 'src/core/judge/changed-judges.ts',
    from: "(!isNamed && this.#work.readBefore?.has(path) === true ? '' : null)",
    to: 'null',
    proof: { file: JUDGES, titles: ['a test that its runner finds by a name'] },
  },
  {
    defence: 'a new file in the place that a judge asked for is told',
    file: 'src/core/judge/changed-judges.ts',
    from: "if (by !== null && (isSpelled || by !== '')) return by;",
    to: '',
    proof: { file: JUDGES, titles: ['a new header in place of a system one'] },
  },
  {
    defence: 'a new file that nobody reads clears no other',
    file: 'src/core/judge/changed-judges.ts',
    from: '|| !this.#work.readNow?.has(namer.path)) continue;',
    to: ') continue;',
    proof: {
      file: JUDGES,
      titles: ['a new file that an unread one names'],
    },
  },
  {
    defence: 'a new file that names another is asked about first',
    file: 'src/core/judge/changed-judges.ts',
    from: 'isNamed = isOfWork || (yield* this.askerOf(namer.path)) === null;',
    to: 'isNamed = true || isOfWork;',
    proof: { file: JUDGES, titles: ['two new files that name each other'] },
  },
  {
    defence: 'a common word clears nothing that a judge spells',
    file: 'src/core/judge/changed-judges.ts',
    from: 'byProduct > 0 && byProduct >= byJudge',
    to: 'byProduct > 0',
    proof: { file: JUDGES, titles: ['a helper whose name is a common word'] },
  },
  {
    defence: 'a new file in a folder that a judge searches is told',
    file: 'src/core/judge/changed-judges.ts',
    from: '(!isConfiguration(namer.path) && searchesFolder(namer.text, path))',
    to: "(path === '' && searchesFolder(namer.text, path))",
    proof: {
      file: JUDGES,
      titles: ['a new file where the judge searches'],
    },
  },
  {
    defence: 'packs of every name are read',
    file: 'src/act/workspace/forged-objects.ts',
    from: '/^(?<pack>.+)\\.(?:pack|idx)$/',
    to: '/^(?<pack>pack-.+)\\.(?:pack|idx)$/',
    proof: {
      file: 'test/act/workspace/forged-objects.test.ts',
      titles: ['a pack is read whatever its name is'],
    },
  },
  {
    defence: 'the common index of packs is compared with theirs',
    file: 'src/act/workspace/forged-objects.ts',
    from: 'if (common !== undefined && !',
    to: "if (common === '' && !",
    proof: {
      file: 'test/act/workspace/forged-objects.test.ts',
      titles: ['an index of several packs is compared with theirs'],
    },
  },
  {
    defence: 'compiled modules are not copied',
    file: 'src/act/project/equip-tree.ts',
    from: "= ['__pycache__'];",
    to: '= [];',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['find no compiled modules of the person: nobody compares them'],
    },
  },
  {
    defence: 'folders that hold judges are pinned first',
    file: 'src/act/checks/verify-tree.ts',
    from: '(judging.has(folder) ? 0 : DEEPEST)',
    to: '(judging.has(folder) ? DEEPEST : DEEPEST)',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['cannot do so in a tree of many folders either'],
    },
  },
  {
    defence: 'modules of a virtual environment on the PATH are compared',
    file: 'src/act/checks/user-tools.ts',
    from: "existsSync(join(folder, 'pyvenv.cfg'))",
    to: "folder === ''",
    proof: {
      file: 'test/act/checks/user-tools.test.ts',
      titles: ['a virtual environment on the PATH is looked at with its modules'],
    },
  },
  {
    defence: 'files above the check tree are as before',
    file: 'src/act/checks/user-settings.ts',
    from: '.filter(isWritable)\n',
    to: ".filter((folder) => folder === '' && isWritable(folder))\n",
    proof: {
      file: 'test/act/checks/user-settings.test.ts',
      titles: ['settings that tools find above the check tree are laid over too'],
    },
  },
  {
    defence: 'Node obeys no file that the words of a call name',
    file: 'bin/mayday.js',
    from: 'exec node -- "$0"',
    to: 'exec node "$0"',
    proof: { file: 'test/package/bin.test.ts', titles: ['obeys no file of variables that its words name'] },
  },
  {
    defence: 'what a judge names and the check passes over is told',
    file: 'src/core/judge/changed-judges.ts',
    from: "((yield* search.loaderOf(path)) ?? '') !== ''",
    to: 'false',
    proof: { file: JUDGES, titles: ['a target that is there already'] },
  },
  {
    defence: 'a judge that is no longer read is told',
    file: 'src/core/judge/changed-judges.ts',
    from: 'readNow.has(path) || excused.has(path)',
    to: 'readBefore.has(path)',
    proof: { file: JUDGES, titles: ['a test that is gone'] },
  },
  {
    defence: 'a named file that the check passes without is as in the base',
    file: 'src/act/checks/verify-work.ts',
    from: 'return outcomes.every(({ passed }) => passed) ? changed.map(({ path }) => path) : [];',
    to: 'return outcomes.length < 0 ? changed.map(({ path }) => path) : [];',
    proof: { file: JUDGES, titles: ['whose demands stand in a file that the line names'] },
  },
  {
    defence: 'folders of the check tree cannot be renamed while a check runs',
    file: 'src/act/checks/verify-tree.ts',
    from: 'const pinned = pinnedFolders(spec, command);',
    to: 'const pinned = pinnedFolders({ ...spec, before: [] }, command);',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['cannot put another folder in the place of one of theirs'],
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
    from: 'own.isSymbolicLink() ?',
    to: 'own.isFIFO() ?',
    proof: {
      file: 'test/act/checks/verify-tree.test.ts',
      titles: ['are told when the file behind a linked program was replaced'],
    },
  },
  {
    defence: 'a linked program in another folder is another one',
    file: 'src/act/checks/tool-at.ts',
    from: '${realpathSync.native(path)} ${stampOf(path, target)}',
    to: '${stampOf(path, target)}',
    proof: {
      file: 'test/act/checks/user-tools.test.ts',
      titles: ['a linked tool is seen that is now reached in another folder'],
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
    from: 'owns: [spec.path, temporary], pinned };',
    to: 'owns: [spec.path, temporary], pinned, layers: [] };',
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
    from: 'if (base !== null) variants.push({ commands: [judged.command], ...base });',
    to: 'if (base !== null) variants.push();',
    proof: { file: 'test/act/checks/verify-tree.test.ts', titles: ['also run as they were before the work'] },
  },
  {
    defence: 'the person’s repository is compared with what it was',
    file: 'src/act/workspace/repository-changes.ts',
    from: '.filter((name) => before.get(name) !== now.get(name))',
    to: '.filter(() => false)',
    proof: { file: REPOSITORY, titles: ['tells grafts'] },
  },
  {
    defence: 'the digest is of everything in the git folder',
    file: 'src/act/workspace/repository-digest.ts',
    from: "else if (name !== 'packed-refs') readFiles(to, at);",
    to: "else if (name === 'refs' || name === 'config' || name === 'hooks') readFiles(to, at);",
    proof: { file: REPOSITORY, titles: ['tells grafts', 'tells ORIG_HEAD'] },
  },
  {
    defence: 'the digest knows the flags of the index',
    file: 'src/platform/git/read-index.ts',
    from: 'assumeUnchanged: (flags & 0x8000) !== 0',
    to: 'assumeUnchanged: false',
    proof: { file: REPOSITORY, titles: ['tells assume-unchanged'] },
  },
  {
    defence: 'a state of a merge needs a conflict, and HEAD a command, to be the person’s',
    file: 'src/act/compose/unexplained-changes.ts',
    from: "return file === 'HEAD' || UNFINISHED.test(file) || SHOWN_INSTEAD.test(file);",
    to: 'return false;',
    proof: { file: REPOSITORY, titles: ['tells where HEAD leads', 'tells a merge that was not begun'] },
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
    from: 'else problems.push(...(await compareContent(git, { clone, gitDir }, spec, spec.workspace, work.commit)));',
    to: '',
    proof: { file: WITNESS, titles: ['with a part of the judged tree'] },
  },
  {
    defence: 'the witness runs the checks again',
    file: 'src/supervise/prove-again.ts',
    from: 'const failed = checks.filter(({ passed }) => !passed);',
    to: 'const failed = checks.filter(() => false);',
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
  {
    defence: 'git reads a stand-in, not the git directory that agents can write',
    file: 'src/platform/git/git.ts',
    from: 'GIT_DIR: standIn,',
    to: 'GIT_DIR: place?.gitDir ?? standIn,',
    proof: { file: PLANTED, titles: ['in every setting and place of git does not run'] },
  },
  {
    defence: 'git without a cover gets no setting that names a program',
    file: 'src/platform/git/git.ts',
    from: '...settings.filter(([key]) => CONVERSION.test(key) || DATA.test(key))',
    to: '...settings',
    proof: { file: PLANTED, titles: ['runs at most inside the cover'] },
  },
  {
    defence: 'filters of the person run inside the cover',
    file: 'src/platform/git/start-git.ts',
    from: 'hidden: { home, show, inside: { runId, blocker: null }, ...personSockets() },',
    to: '',
    proof: { file: PLANTED, titles: ['runs at most inside the cover'] },
  },
  {
    defence: 'git has no home and no variables of the person',
    file: 'src/platform/git/git.ts',
    from: "env: { PATH: call.env['PATH'] ?? SYSTEM_PATH, ...NO_HOME, ...own }",
    to: 'env: { ...own, ...call.env }',
    proof: { file: PLANTED, titles: ['in a variable of git, or a file that one names, does not run'] },
  },
  {
    defence: 'a set-up that a repository suggests waits for trust',
    file: 'src/supervise/request/run-spec.ts',
    from: 'if (project.setup === null || trustsSetup)',
    to: 'if (project.setup !== undefined || trustsSetup)',
    proof: { file: 'test/e2e/set-up.test.ts', titles: ['does not run unasked'] },
  },
  {
    defence: 'starting runs is a right of its own',
    file: 'src/http/start-routes.ts',
    from: "role: 'starter',",
    to: "role: 'operator',",
    proof: { file: 'test/http/desk-rights.test.ts', titles: ['is no operator: that one starts nothing'] },
  },
  {
    defence: 'what a person waived is not proven',
    file: 'src/core/gates/delivery-proof.ts',
    from: '(one) => one.used && one.tree === tree && isWaiver(one)',
    to: '() => false',
    proof: {
      file: 'test/core/gates/delivery-proof.test.ts',
      titles: ['only where it was used, for the delivered tree'],
    },
  },
  {
    defence: 'only what is safe is recommended',
    file: 'src/core/vocabulary/questions/recommended.ts',
    from: 'const safe = options.filter(isSafe);',
    to: 'const safe = options;',
    proof: {
      file: 'test/core/vocabulary/questions/recommended.test.ts',
      titles: ['never widens, waives, judges, spends or gives away'],
    },
  },
];
