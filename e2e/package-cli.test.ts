import { randomFillSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@plantroom/base/sha256'
import { countRequests } from '@plantroom/client/count-requests'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { checkPackage } from '@plantroom/fpl/check-package'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { packageBytesOf, uploadInterrupted } from './support/interrupted-upload.ts'
import { packageIn, ticket } from './support/package.ts'
import { type PackageService, type PackageSite, startPackageService } from './support/package-service.ts'
import { plantroom } from './support/run.ts'
import { inTerminal } from './support/terminal.ts'

let service: PackageService
let site: PackageSite
let file: string
let invalid: string

const TICKETS = [
  ticket('OLD-1', { tags: ['roof'], unit: 'B-12', assignee: 'nobody@example.ee', comments: [{ content: 'Seen' }] }),
  ticket('OLD-2', { attachments: [{ path: 'attachments/photo.jpg' }] }),
]

beforeAll(async () => {
  service = await startPackageService()
  site = await service.addSite('Site of the command line')
  file = await packageIn(service.folder, 'Põhja maja.fpl', TICKETS, { 'attachments/photo.jpg': 'a photo' })
  const mistakes = Array.from({ length: 25 }, (_, index) => ticket(`A-${index}`, { state: 'broken' }))
  invalid = await packageIn(service.folder, 'invalid.fpl', mistakes)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const packages = (args: string[], settings = service.shellFor(site.siteId)) => plantroom(['package', ...args], settings)
async function csvOf({ siteId }: PackageSite): Promise<string> {
  const { baseUrl } = service.cloud.ready
  const url = `${baseUrl}/api/orgs/${service.orgId}/properties/${siteId}/tickets?format=csv&sort=number&order=asc`
  return (await fetch(url, { headers: { 'X-Api-Key': service.apiKey } })).text()
}
const inFolder = (name: string) => join(service.folder, name)

describe('plantroom package', () => {
  test('uploads, previews, imports, and imports again', async () => {
    expect(await packages(['upload', file])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Põhja maja\.fpl: uploaded, [\d,]+ bytes\n$/),
      stderr: '',
    })

    const preview = [
      'Põhja maja.fpl: 2 requests: 2 new, 0 already on the site; 1 comment, 1 attachment',
      '  new tags: roof',
      '  unknown units, left empty: B-12',
      '  people not found: nobody@example.ee (assignee)',
      '',
    ].join('\n')
    expect(await packages(['preview', 'Põhja maja.fpl', '--uploaded'])).toEqual({
      code: 0,
      stdout: preview,
      stderr: '',
    })
    expect(await countRequests(site.client, site.ids)).toBe(0)

    const numbers = inFolder('numbers.csv')
    expect(await packages(['import', file, '--numbers', numbers])).toEqual({
      code: 0,
      stdout: `${preview}${[
        'Põhja maja.fpl: 2 requests imported, 0 skipped; 1 comment, 1 attachment, 1 new tag',
        '  unknown units, left empty: B-12',
        '  people not found: nobody@example.ee (assignee)',
        `  numbers of 2 requests in ${numbers}`,
      ].join('\n')}\n`,
      stderr: '',
    })
    expect(readFileSync(numbers, 'utf8')).toBe('externalId,number\r\nOLD-1,1\r\nOLD-2,2\r\n')

    const again = await packages(['import', file, '--json'])
    expect({ code: again.code, lines: again.stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 1 })
    expect(JSON.parse(again.stdout)).toMatchObject({
      name: 'TICKET_IMPORT',
      status: 'SUCCESS',
      output: { created: { tickets: 0 }, skipped: 2 },
    })
  })

  test('shows of an invalid package the message and how to get the whole report, and does not import it', async () => {
    const { code, stdout, stderr } = await packages(['import', invalid])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const [message, hint, ...more] = stdout.split('\n')
    expect(message).toMatch(/^invalid\.fpl: Invalid manifest: tickets\[0\]\.state: broken must be one of: /)
    expect(hint).toMatch(/^ {2}to list every problem: plantroom package job \S+ --report FILE\.csv$/)
    expect(more).toEqual([''])

    const jobId = hint?.split(' ').at(-3) ?? ''
    const csv = inFolder('problems.csv')
    const report = await packages(['job', jobId, '--report', csv])
    expect(report).toMatchObject({ code: 1, stdout: expect.stringContaining(`\n  25 problems in ${csv}\n`) })
    expect(readFileSync(csv, 'utf8').split('\r\n')).toHaveLength(1 + 25 + 1)
    const json = inFolder('problems.json')
    await packages(['preview', invalid, '--report', json])
    expect(JSON.parse(readFileSync(json, 'utf8'))).toHaveLength(25)
  })

  test('exports a complete, valid file that imports elsewhere with the same counts', async () => {
    const target = inFolder('export.fpl')
    const { code, stdout, stderr } = await packages(['export', target])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`${target}: 2 requests, 1 comment, 1 attachment, `)
    expect(await checkPackage(target)).toMatchObject({ valid: true, tickets: 2, comments: 1, attachments: 1 })
    expect(readdirSync(service.folder).filter((name) => name.startsWith('export.fpl'))).toEqual(['export.fpl'])

    const elsewhere = await service.addSite('Elsewhere')
    const imported = await packages(['import', target], service.shellFor(elsewhere.siteId))
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('2 requests imported, 0 skipped') })
  })

  test("converts a site's list of requests so that another site has the same list", async () => {
    const [first, second] = [await service.addSite('Moves out'), await service.addSite('Moves in')]
    const times = { createdAt: '2026-03-01T08:30:00.000Z', updatedAt: '2026-03-02T08:30:00.000Z' }
    const full = {
      ...times,
      ...{
        title: 'Pump, "the old one"; +372\nleaks',
        state: 'on_hold',
        priority: 3,
        safetyHazard: true,
        tags: ['roof', 'water'],
      },
      reporter: { name: '=Mari', email: 'mari@example.ee' },
    }
    const source = await packageIn(service.folder, 'moves.fpl', [ticket('M-1', full), ticket('M-2', times)])
    await packages(['import', source], service.shellFor(first.siteId))
    const list = inFolder('requests.csv')
    writeFileSync(list, await csvOf(first))

    const converted = inFolder('converted.fpl')
    const { code, stdout } = await packages(['from', 'csv', list, '-o', converted, '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tickets: 2 }])
    expect((await packages(['import', converted], service.shellFor(second.siteId))).code).toBe(0)
    // A title has one line, and the whole is in the description.
    expect(await csvOf(second)).toBe((await csvOf(first)).replace('+372\nleaks', '+372 leaks'))
  })

  test('accepts the admin token instead of a key, and finds the only site', async () => {
    const organization = await service.admin.addOrganization({ body: { name: 'Of one site' } })
    await service.admin.addSite({ orgId: organization.id, body: { name: 'Only', maintenanceRequests: true } })
    const { baseUrl, adminToken } = service.cloud.ready
    const shell = {
      PLANTROOM_DATA: inFolder('none'),
      PLANTROOM_URL: baseUrl,
      PLANTROOM_ADMIN_TOKEN: adminToken,
      PLANTROOM_ORG: organization.id,
    }
    expect((await packages(['preview', file], shell)).stdout).toContain('2 new, 0 already on the site')
  })

  test.each([
    [['import', 'Nobody uploaded.fpl', '--uploaded'], /no file was uploaded .*404 NOT_FOUND/],
    [['job', 'job_none'], /this site has no job job_none .*404 NOT_FOUND/],
    [['import', '/none/x.fpl'], /the file does not exist/],
    [['export', '/none/x.fpl'], /\/none\/x\.fpl/],
  ])('exits with 1 and one line on stderr for something missing: %j', async (args, line) => {
    const { code, stdout, stderr } = await packages(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plantroom package: .+\n$/)
    expect(stderr).toMatch(line)
  })
})

describe('an upload of more than one part', () => {
  const bytes = randomFillSync(new Uint8Array(PART_BYTES + 1000))

  test('continues after the service was killed', async () => {
    const target = await service.addSite('Killed')
    const interrupt = () => service.cloud.start()
    const sent = await uploadInterrupted(target, 'killed.fpl', bytes, { at: [5_000_000], interrupt })
    expect(sent).toBeLessThanOrEqual(2 * bytes.length)
    expect(packageBytesOf(service.folder, target).equals(bytes)).toBe(true)
  })

  test.each([
    ['the same file', bytes, ''],
    [
      'another file',
      new Uint8Array(bytes.length),
      'plantroom package: the unfinished upload of large.fpl is of another file; starting again\n',
    ],
  ])('goes on where another process stopped: %s', async (title, before, stderr) => {
    const target = await service.addSite(title)
    const large = inFolder('large.fpl')
    writeFileSync(large, bytes)
    const { uploadId } = await target.client.startUpload({
      ...target.ids,
      body: { filename: 'large.fpl', size: bytes.length },
    })
    const part = before.subarray(PART_BYTES)
    const body = { parts: [{ number: 2, sha256: sha256(before.slice(PART_BYTES)) }] }
    const { parts } = await target.client.offerParts({ ...target.ids, uploadId, body })
    expect((await fetch(parts[0]?.url ?? '', { method: 'PUT', body: part })).status).toBe(200)
    const ran = await packages(['upload', large], service.shellFor(target.siteId))
    expect(ran).toEqual({ code: 0, stdout: 'large.fpl: uploaded, 8,389,608 bytes\n', stderr })
    expect(packageBytesOf(service.folder, target).equals(bytes)).toBe(true)
  })
})

test('Ctrl-C leaves the job running and prints how to follow it', async () => {
  const target = await service.addSite('Left alone')
  const shell = service.shellFor(target.siteId)
  await target.upload(file)
  await service.worker.stop()
  const terminal = inTerminal(['package', 'preview', 'Põhja maja.fpl', '--uploaded'], shell)
  await eventually(() => expect(terminal.screen()).toMatch(/Põhja maja\.fpl: waiting \[-+\] +0 %/))
  terminal.type('\x03')
  expect(await terminal.ended).toBe(128 + 2)
  const [, jobId = ''] =
    /the job continues in the service; follow it with: plantroom package job (\S+)/.exec(terminal.screen()) ?? []

  const still = await packages(['job', jobId, '--no-wait'], shell)
  expect(still).toMatchObject({ code: 0, stdout: `${jobId}: waiting\n` })
  await service.worker.start()
  const followed = await packages(['job', jobId], shell)
  expect(followed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 requests: 2 new') })
})
