import { execFileSync } from 'node:child_process'

/** The end-to-end tests that a change can affect. */
export interface AffectedTests {
  readonly e2e: readonly string[]
  readonly browser: readonly string[]
}

const NOTHING = /^(docs|deploy|bench|tools)\/|\.md$|^LICENSE$|\.test\.tsx?$/
const PACKAGE_TEST = /^e2e\/(package|import)-/
const COMMAND_TEST = /^e2e\/(cli|demo|probe|overrides-cli|package-cli|package-check)/

/**
 * Chooses end-to-end tests by the folders of the changed files, as the help of `plantroom test` states. `tests` are the
 * paths of all end-to-end tests.
 */
export function affectedTests(changed: readonly string[], tests: readonly string[]): AffectedTests {
  const chosen = new Set(changed.flatMap((path) => tests.filter(affectedBy(path))))
  const isBrowserTest = (path: string) => path.startsWith('e2e/browser/')
  return {
    e2e: tests.filter((path) => chosen.has(path) && !isBrowserTest(path)),
    browser: tests.filter((path) => chosen.has(path) && isBrowserTest(path)),
  }
}

function affectedBy(changed: string): (test: string) => boolean {
  if (/^e2e\/.*\.test\.ts$/.test(changed)) return (test) => test === changed
  if (NOTHING.test(changed)) return () => false
  if (changed.startsWith('e2e/browser/') || changed.startsWith('packages/web/')) {
    return (test) => test.startsWith('e2e/browser/')
  }
  if (changed.startsWith('packages/fpl/')) return (test) => PACKAGE_TEST.test(test)
  if (changed.startsWith('packages/cli/')) return (test) => COMMAND_TEST.test(test)
  if (/^packages\/(edge|drivers|simulator)\//.test(changed)) {
    return (test) => !PACKAGE_TEST.test(test) && !test.startsWith('e2e/browser/')
  }
  return () => true
}

/** Returns the commit to compare with: `base`, or where the branch left main. */
export function baseCommit(root: string, base: string | undefined): string {
  if (base !== undefined) return git(root, 'rev-parse', '--verify', '--quiet', `${base}^{commit}`).trim()
  for (const main of ['origin/main', 'main']) {
    try {
      return git(root, 'merge-base', 'HEAD', main).trim()
    } catch {
      // There is no such branch here.
    }
  }
  return git(root, 'rev-parse', 'HEAD').trim()
}

/** Lists the files that differ from a commit: committed, not committed, and new. */
export function changedFiles(root: string, base: string): string[] {
  const changed = git(root, 'diff', '--name-only', '-z', base)
  const added = git(root, 'ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set(`${changed}${added}`.split('\0'))].filter((path) => path !== '').sort()
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
