/** `GIT_CONFLICT`, `GIT_WORDS`, `GIT_ERROR`: content that two sides changed, and everything else that git refuses. */
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const GIT_CONFLICT = [
  r('conflict.mercurial', 'git_conflict', {
    says: /conflicts while merging (?<path>\S{1,300})! \(|use 'hg resolve/,
    alone: 0.9,
    cause: 'Both sides changed {path}; hg cannot merge them',
    fix:
      'Choose what stays in {path|the files that `hg resolve --list` names}, `hg resolve --mark` them and commit; ' +
      '`hg merge --abort` goes back',
  }),
  r('git.conflict', 'git_conflict', {
    says: [
      /CONFLICT \([\w /-]{1,80}\): (?:Merge conflict in (?<path>.{1,300})|(?<path2>\S{1,200}) deleted in|.{1,300})/,
      oneOf(
        /Automatic merge failed|(?:Text|Tree|Property) conflicts: [1-9]|Summary of conflicts/,
        /fix conflicts and then commit|(?:merge|rebase|cherry-pick|content) conflicts? (?:in|with|detected)/,
        /Merge conflicts? .{0,80}(?:could not|cannot|must)|unresolved (?:merge )?conflicts?|\bunmerged\b/,
        /needs merge$|you need to resolve (?:your|all)/,
        /Resolve all conflicts|patch does not apply|Patch failed at|patch failed: (?<path3>\S{1,200}?):\d{1,12}/,
        /Hunk #\d{1,12} FAILED|hunks? FAILED|\.rej$|saving rejects|could not apply [0-9a-f]{7,60}/,
        /Applied patch .{0,120}with conflicts|both (?:modified|added|deleted):|deleted by (?:us|them):/,
        /Committing is not possible because|error: could not revert|does not match index|Merge conflict/,
        /conflicts? in (?:the )?files?|needs to be resolved|has conflicts (?:that must|with)|conflict markers|CONFLICTING/,
        /mergeable: false|Pull request .{0,40}not mergeable|Exiting because of an unresolved conflict/,
        /remains in conflict|It seems there is already a rebase-(?:merge|apply) directory/,
        /previous rebase directory .{0,120}still exists/,
      ),
    ],
    alone: 0.9,
    unless: oneOf(
      /peer dep|dependency conflict|conflicting peer|409|conflict markers are|merge conflict markers|No conflicts?/i,
      /0 conflicts?|without conflicts?/i,
    ),
    cause: 'Both sides changed {path}; git cannot merge them',
  }),
];

export const GIT_WORDS = [
  r('git.words', 'git_error', {
    says: oneOf(
      /\.git\/\S{0,200}\.lock'|index\.lock'?|cannot lock ref|Another git process|unable to auto-detect email|non-fast-forward/,
      /\[(?:remote )?rejected\]|failed to push some refs|would be overwritten by (?:merge|checkout|cherry-pick|rebase)/,
      /a branch named '[^']{1,200}' already exists|is already (?:checked out|used by worktree)|unable to read sha1 file/,
      /corrupt patch at line|patch with only garbage|unrecognized input|unknown revision or path/,
      /did not match any file\(s\) known to git|refusing to merge unrelated|Not possible to fast-forward/,
      /need to specify how to reconcile|has no upstream branch|couldn't find remote ref|could not find repository/,
      /src refspec \S{1,200} does not match/,
      /(?:pre-commit|pre-push|commit-msg|pre-receive|update) hook (?:declined|rejected|failed|exited)/,
      /Please tell me who you are|not a valid (?:object name|ref)\b|not something we can merge/,
      /cannot (?:rebase|pull with rebase|cherry-pick|revert|stash)\b.{0,60}|gitmodules|fatal: bad (?:object|revision)/,
      /is not a git command|git: '[^']{1,60}' is not|worktree add|already registered worktree|missing but already registered/,
    ),
    alone: 0.7,
    unless: /Permission denied|No space left|Read-only|insufficient permission/,
    cause: 'Git refuses: {message}',
  }),
];

export const GIT_ERROR = [
  r('git.dead-end', 'git_error', {
    says: oneOf(
      /not a git (?:repository|directory|repo\b|checkout)|to be (?:in|inside|within) an? (?:\w{1,20} )?repository/i,
      /InvalidGitRepositoryError|NoSuchPathError|no repository found|is not a working copy|dubious ownership/i,
      /does not appear to be a git repository/i,
      /(?:object file|loose object|index file|pack|packfile) .{0,160}(?:is empty|corrupt|smaller than expected)|bad object/i,
      /(?:index|object|repository) (?:file )?(?:is )?corrupt|bad (?:index file|signature|config line)/i,
      /unable to read (?:tree|sha1|object)|missing (?:blob|tree|commit)|invalid object|inflate: data stream error/i,
      /protected branch|GH006|GH013|repository (?:'[^']{0,80}' |rule |not )?(?:not found|violations)|Repository not found/i,
      /repository .{0,160}not found/i,
      /not (?:within|inside|in) (?:a|an|any|the)(?: \w{1,20}){0,2} (?:check-?out|working copy|working tree|repository|repo\b)/i,
      /No such remote|no such remote|remote origin (?:not|does)|pre-receive hook declined|remote rejected|push declined/i,
      /No configured push destination|not have any commits yet|does not have a commit checked out|bad default revision/i,
    ),
    alone: 0.75,
    recoverable: false,

    cause: 'Git cannot go on with this repository or remote',
  }),
  r('git.refusal', 'git_error', {
    says: [
      /index\.lock|Unable to create '[^']{0,300}\.lock'|Another git process seems to be running|cannot lock ref/i,
      /Unable to lock|\.lock': File exists/i,
      /non-fast-forward|\[rejected\]|fetch first|failed to push some refs|updates were rejected/i,
      /tip of your current branch is behind|stale info/i,
      /a branch named|already exists|already checked out at|is already used by worktree|is a missing but (?:already|locked)/i,
      /worktree .{0,80}(?:locked|dirty)|would be overwritten by|Please commit (?:your changes|or stash)/i,
      /You have (?:unstaged|uncommitted) changes|local changes|uncommitted changes|your index contains uncommitted/i,
      /cannot (?:rebase|pull|merge|switch|checkout|cherry-pick|revert|apply)|nothing to commit|no changes added to commit/i,
      /nothing added to commit|did not match any file|unknown revision|ambiguous argument/i,
      /not a valid (?:object name|ref|branch)|not something we can merge|refusing to (?:merge|fetch|update|delete)/i,
      /unrelated histories|Not possible to fast-forward|divergent branches|need to specify how to reconcile/i,
      /no upstream branch|has no upstream|no tracking information|couldn't find remote ref|Remote branch .{0,100}not found/i,
      /invalid refspec|src refspec|destination path .{0,160}already exists|hook (?:declined|rejected|failed|exited)/i,
      /pre-commit hook|commit-msg|husky|Please tell me who you are|unable to auto-detect email|empty ident|Aborting commit/i,
      /empty commit message|You are not currently on a branch|detached HEAD|No rebase in progress|no cherry-pick/i,
      /There is no merge to abort|MERGE_HEAD exists|is not fully merged|Cannot delete branch|No stash entries|cannot stash/i,
      /not a stash|pathspec|no such ref|bad revision|is outside repository|beyond a symbolic link|submodule|early EOF|shallow/i,
      /gpg failed to sign|this operation must be run in a work tree|fatal: invalid reference|unknown switch/i,
      /is not a git command|fatal: bad|previous cherry-pick|already in progress|is a directory.{0,20}not/i,
      /^(?:fatal|error|hint): /,
    ],
    alone: 0.4,
    roles: ['git'],
    cause: 'Git refuses: {message}',
  }),
];
