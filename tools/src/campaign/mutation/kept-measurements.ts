import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a test file runs of the sources, and how long it takes. */
export interface Measured {
  readonly hits: ReadonlySet<number>
  readonly ms: number
}

/**
 * Measurements of test files for these sources, kept for a campaign that continues. Only those of a commit: a change anywhere
 * may lead a test another way.
 */
export function keptMeasurements(root: string, files: readonly string[]) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isCommitted = git('status', '--porcelain') === ''
  const name = hash('sha256', [git('rev-parse', 'HEAD'), ...files].join('\n')).slice(0, 32)
  const path = join(root, 'node_modules/.cache/mutation', `${name}.json`)
  const measured = new Map<string, Measured>()
  if (isCommitted && existsSync(path)) {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as [string, { hits: number[]; ms: number }][]
    for (const [test, { hits, ms }] of kept) measured.set(test, { hits: new Set(hits), ms })
  }
  return {
    get: (test: string) => measured.get(test),
    set(test: string, one: Measured) {
      measured.set(test, one)
      if (!isCommitted) return
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify([...measured].map(([of, { hits, ms }]) => [of, { hits: [...hits], ms }])))
    },
  }
}
