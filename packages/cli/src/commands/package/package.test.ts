import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { packages } from './package.ts'

describe('plantroom package', () => {
  test.each([
    [[], 'use check, upload, preview, import, fill, export, jobs, job, from, to, new, add or schedule'],
    [['download', 'x.fpl'], 'unknown subcommand download; use check, upload'],
    [['check'], 'FILE is missing'],
    [['check', 'x.fpl', '--threads', '0'], '--threads 0 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '-1'], '--threads -1 is not a whole number above 0'],
    [['check', 'x.fpl', '--threads', '17'], '--threads must be at most 16, not 17'],
    [['check', 'x.fpl', '--csv', ''], '--csv needs a file name'],
    [['check', 'x.fpl', '--url', 'http://x'], '--url'],
    [['upload'], 'FILE is missing'],
    [['preview', 'a.fpl', 'b.fpl'], 'unexpected argument b.fpl'],
    [['import', 'a.fpl', '--report', 'report.txt'], '--report report.txt must end in .csv or .json'],
    [['import', 'a.fpl', '--numbers', 'site.fpl'], '--numbers site.fpl must end in .csv or .json'],
    [['import', 'a.fpl', '--create', 'units,rooms'], '--create units,rooms must list some of: units,people,tags'],
    [['fill', 'a.fpl', '--create', ''], '--create  must list some of: units,people,tags'],
    [['fill'], 'FILE is missing'],
    [['export'], 'FILE is missing'],
    [['jobs', '--limit', 'x'], '--limit x is not a whole number'],
    [['job'], 'JOBID is missing'],
    [['job', 'job_1', '--uploaded'], '--uploaded'],
    [['from'], 'SOURCE is missing'],
    [['from', 'excel', 'a.xls', '-o', 'a.fpl'], 'unknown source excel; use csv, xlsx'],
    [['from', 'csv', '-o', 'a.fpl'], 'INPUT is missing'],
    [['from', 'csv', 'a.csv'], '-o FILE.fpl is missing'],
    [['from', 'csv', 'a.csv', '-o', 'a.zip'], '-o a.zip: the name must end in .fpl'],
    [['from', 'csv', 'a.csv', '-o', 'a.fpl', '--unplaced', './a.csv'], '--unplaced ./a.csv would overwrite the source'],
    [['from', 'csv', 'a.csv', '-o', 'a.fpl', '--problems', 'p.csv', '--unplaced', 'p.csv'], 'name the same file'],
    [['to', 'glpi', 'a.fpl', '-o', 'a'], 'unknown system glpi; use csv, jira, redmine, rt, zammad'],
    [['to', 'csv', '-o', 'a'], 'FILE is missing'],
    [['to', 'csv', 'a.fpl'], '-o FOLDER is missing'],
    [['to', 'csv', 'a/b.fpl', '-o', 'a'], '-o a would overwrite the package'],
    [['to', 'csv', 'a.fpl', '-o', 'a', '--unplaced', './a.fpl'], '--unplaced ./a.fpl would overwrite the package'],
    [['to', 'csv', 'a.fpl', '-o', 'a', '--unplaced', 'a/u.csv'], '--unplaced a/u.csv is in the folder of -o'],
    [['to', 'csv', 'a.fpl', '-o', 'a', '--separator', 'x'], '--separator x must be , or ;'],
    [['to', 'csv', 'a.fpl', '-o', 'a', '--files-url', 'https://x/'], '--files-url is for jira only'],
    [['to', 'jira', 'a.fpl', '-o', 'a', '--files-url', 'ftp://x/'], '--files-url ftp://x/ is not an address'],
    [['new', 'a.zip'], 'a.zip: the name must end in .fpl'],
    [['add', 'a.fpl'], '--title is missing'],
    [['add', 'a.fpl', '--title', 'x', '--priority', 'high'], '--priority high is not a whole number'],
    [['add', 'a.fpl', '--title', 'x', '--json', '-'], '--json has the whole request; leave out --title'],
    [['schedule'], 'use show, set, test, run, runs or remove'],
    [['schedule', 'set', '--at', '02:00'], '--every is missing'],
    [['schedule', 'set', '--on', '--off'], 'use one of them'],
    [['schedule', 'set', '--keep', '3', '--keep-days', '3'], 'use one of them'],
    [['schedule', 'set', '--keep', 'all'], '--keep all is not a whole number'],
    [['schedule', 'set', 'a.yaml', 'b.yaml'], 'unexpected argument b.yaml'],
  ])('%j is a usage error: %s', async (args, message) => {
    const run = packages.run(args)
    await expect(run).rejects.toThrow(UsageError)
    await expect(run).rejects.toThrow(message)
  })

  test('does not overwrite a package with its list of problems', async () => {
    const folder = temporaryFolder()
    const [site, zip] = [join(folder, 'site.FPL'), join(folder, 'site.zip')]
    for (const file of [site, zip]) writeFileSync(file, 'precious')
    await expect(packages.run(['check', '--csv', site, 'other.fpl'])).rejects.toThrow(UsageError)
    await expect(packages.run(['check', zip, '--csv', join(folder, '.', 'site.zip')])).rejects.toThrow(UsageError)
    for (const file of [site, zip]) expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  test.each(['upload', 'preview', 'import'])(
    '%s reports a missing file before it contacts the service',
    async (verb) => {
      await expect(packages.run([verb, '/none/x.fpl', '--url', 'http://127.0.0.1:9'])).rejects.toThrow(
        '/none/x.fpl: the file does not exist',
      )
    },
  )

  test('rejects an invalid package name before uploading', async () => {
    const file = join(temporaryFolder(), 'site.zip')
    writeFileSync(file, 'x')
    await expect(packages.run(['upload', file])).rejects.toThrow(
      'cannot be uploaded under this name: it must end in .fpl',
    )
  })

  test('reports an unwritable file before it starts an export', async () => {
    await expect(packages.run(['export', '/none/x.fpl'])).rejects.toThrow('ENOENT')
  })
})
