import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { packages } from './package.ts'

describe('plantroom package', () => {
  test.each([
    [[], 'say check, upload, preview, import, export or job'],
    [['download', 'x.fpl'], 'say check, upload'],
    [['check'], 'FILE is missing'],
    [['check', 'x.fpl', '--threads', '0'], '--threads 0 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '-1'], '--threads -1 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '17'], '--threads 17 is more than 16'],
    [['check', 'x.fpl', '--csv', ''], '--csv is missing the name of a file'],
    [['check', 'x.fpl', '--url', 'http://x'], '--url'],
    [['upload'], 'FILE is missing'],
    [['preview', 'a.fpl', 'b.fpl'], 'b.fpl is one argument too many'],
    [['import', 'a.fpl', '--report', 'report.txt'], '--report report.txt: the name must end in .csv or .json'],
    [['import', 'a.fpl', '--numbers', 'site.fpl'], '--numbers site.fpl: the name must end in .csv or .json'],
    [['export'], 'FILE is missing'],
    [['job'], 'JOBID is missing'],
    [['job', 'job_1', '--uploaded'], '--uploaded'],
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

  test.each(['upload', 'preview', 'import'])(
    '%s says before it asks anybody that there is no such file',
    async (verb) => {
      await expect(packages.run([verb, '/none/x.fpl', '--url', 'http://127.0.0.1:9'])).rejects.toThrow(
        '/none/x.fpl: there is no such file',
      )
    },
  )

  test('a file whose name the service would not take is told so before it is sent', async () => {
    const file = join(temporaryFolder(), 'site.zip')
    writeFileSync(file, 'x')
    await expect(packages.run(['upload', file])).rejects.toThrow(
      'cannot be uploaded under this name: it must end in .fpl',
    )
  })

  test('an export that could not be written is told so before it begins', async () => {
    await expect(packages.run(['export', '/none/x.fpl'])).rejects.toThrow('ENOENT')
  })
})
