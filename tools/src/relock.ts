import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { completeLockfile, type Lockfile } from './complete-lockfile.ts'

/**
 * Creates package-lock.json from the package.json files. It works outside the checkout, so installed packages have no
 * influence. Run it after every change of a dependency: `node tools/src/relock.ts`.
 */
const root = join(import.meta.dirname, '../..')
const workshop = mkdtempSync(join(tmpdir(), 'plantroom-lock-'))
try {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of tracked.split('\n')) {
    const wanted = ['package.json', '.npmrc'].includes(basename(path)) && !path.startsWith('runtime/')
    if (wanted) cpSync(join(root, path), join(workshop, path))
  }
  execFileSync('npm', ['install', '--package-lock-only', '--loglevel=error'], { cwd: workshop, stdio: 'inherit' })
  const read = (folder: string): Lockfile => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const lockfile = completeLockfile(read(workshop), read(root))
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lockfile, null, 2)}\n`)
} finally {
  rmSync(workshop, { recursive: true, force: true })
}
