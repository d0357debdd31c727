import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../command.ts'
import { packages } from './package.ts'

describe('plantroom package', () => {
  test.each([
    [[], 'say check'],
    [['upload', 'x.fpl'], 'say check'],
    [['check'], 'FILE is missing'],
    [['check', 'x.fpl', '--threads', '0'], '--threads 0 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '-1'], '--threads -1 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '17'], '--threads 17 is more than 16'],
    [['check', 'x.fpl', '--csv', ''], '--csv is missing the name of a file'],
    [['check', 'x.fpl', '--url', 'http://x'], '--url'],
  ])('%j is wrong usage: %s', async (args, message) => {
    const run = packages.run(args)
    await expect(run).rejects.toThrow(UsageError)
    await expect(run).rejects.toThrow(message)
  })

  test('does not write its list over a package that was meant to be checked', async () => {
    const folder = temporaryFolder()
    const [site, zip] = [join(folder, 'site.FPL'), join(folder, 'site.zip')]
    for (const file of [site, zip]) writeFileSync(file, 'precious')
    await expect(packages.run(['check', '--csv', site, 'other.fpl'])).rejects.toThrow(UsageError)
    await expect(packages.run(['check', zip, '--csv', join(folder, '.', 'site.zip')])).rejects.toThrow(UsageError)
    for (const file of [site, zip]) expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  test('names nothing in its help that does not exist', () => {
    expect(packages.usage).not.toMatch(/upload [A-Z]|preview|import|export/)
  })
})
