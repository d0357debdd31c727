import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManifestScanner } from '../manifest/scanner.ts'
import { createManifestChecker } from './checker.ts'
import { packageWith } from './testing/package-with.ts'

/**
 * Each folder is one case: checking its `manifest.json` in a package with the files of `files.txt` must yield the lines
 * of `expected.txt`.
 */
const FOLDER = join(import.meta.dirname, '../cases/manifests')

test.each(readdirSync(FOLDER))('%s', (name) => {
  const linesOf = (file: string) =>
    readFileSync(join(FOLDER, name, file), 'utf8')
      .split('\n')
      .slice(0, -1)
  const files = existsSync(join(FOLDER, name, 'files.txt')) ? linesOf('files.txt') : []

  const checker = createManifestChecker(packageWith(files))
  const scanner = createManifestScanner(checker)
  scanner.push(readFileSync(join(FOLDER, name, 'manifest.json')))
  scanner.end()

  const { problems, problemCount } = checker.findings()
  expect(problems.map(({ message }) => message)).toEqual(linesOf('expected.txt'))
  expect(problemCount).toBe(problems.length)
})
