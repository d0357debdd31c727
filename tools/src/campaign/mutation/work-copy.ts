import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the checkout in which sources can be changed. */
export interface WorkCopy extends Disposable {
  readonly folder: string
  /** The vitest configuration of the copy: the unit tests, in one process. */
  readonly config: string
}

const WORKSPACE_SCOPE = '@plantroom'

/** Copies the files that git knows or would add; the installed packages are links to those of the checkout. */
export function createWorkCopy(root: string): WorkCopy {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-mutation-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) linkPackages(own, join(folder, 'packages', name, 'node_modules'))
  }
  const config = join(folder, 'vitest.mutation.config.ts')
  writeFileSync(config, CONFIG)
  return { folder, config, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Links every package but ours: the links to ours are relative, and so lead to the copy. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === WORKSPACE_SCOPE) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    // Caches are keyed by path: a run in the copy must not write into those of the checkout.
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(join(from, name), join(to, name))
  }
}

const CONFIG = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}'],
    globalSetup: process.env.PLANTROOM_MUTATION_SETUP ? 'packages/cloud/src/testing/global-setup.ts' : [],
    setupFiles: [
      'packages/web/src/texts/choice/testing-language.ts',
      'packages/cloud/src/testing/drop-databases.ts',
    ],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
`
