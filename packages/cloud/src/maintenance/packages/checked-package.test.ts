import { Readable } from 'node:stream'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { describe, expect, test } from 'vitest'
import { type FileStore, packageKey } from '../../platform/files/index.ts'
import { openImportBench, requestWith } from './testing/import-bench.ts'

describe('an invalid package', () => {
  test.each([
    ['a mistake', [{}, { title: ' ' }], 'Invalid manifest: tickets[1].title: must not be blank', 1],
    [
      'an id twice',
      [{ externalId: 'A' }, { externalId: 'A' }],
      'Invalid manifest: tickets[1] (externalId A): duplicate externalId',
      1,
    ],
    [
      'U+0000 far behind in a long text',
      [{ description: `${'x'.repeat(200_000)}\0` }],
      /^Invalid manifest: tickets\[0\]\.description: x+… must not hold the character U\+0000$/,
      1,
    ],
    [
      'half a pair',
      [{ notes: '\ud83d' }],
      'Invalid manifest: tickets[0].notes: \\ud83d must be well-formed Unicode',
      1,
    ],
  ])('writes nothing and is final: %s', async (_name, tickets, message, count) => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await expect(bench.importRequests(site, tickets)).rejects.toMatchObject({
      name: 'JobFailure',
      final: true,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      problems: { length: count },
    })
    expect(await site.tickets()).toEqual([])
    await expect(bench.previewRequests(site, tickets)).rejects.toMatchObject({ final: true })
  })

  test('fails with the message of the contract when its manifest is not JSON, with the position in the report', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const bytes = buildZip([{ name: 'manifest.json', data: '{"version":"1.0",\n"tickets":[}' }])
    const { version } = await bench.files.receive(packageKey('org', site.id, 'package.fpl'), Readable.from([bytes]))
    for (const name of ['PREVIEW_TICKET_IMPORT', 'TICKET_IMPORT'] as const) {
      const job = await bench.startJob(site, name, { filename: 'package.fpl', version })
      await expect(name === 'TICKET_IMPORT' ? bench.import(job) : bench.preview(job)).rejects.toMatchObject({
        name: 'JobFailure',
        final: true,
        message: 'manifest.json is not valid JSON',
        problems: [{ path: 'manifest', value: null, rule: expect.stringMatching(/ at byte 29 \(line 2, column 12\)/) }],
      })
    }
  })

  test('is rejected above 5 GB before it is fetched', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const uploaded = await bench.upload(site, [requestWith({})])
    const fetched: string[] = []
    const filesOf = (size: number): FileStore => ({
      ...bench.files,
      stat: async () => ({ version: uploaded.version, size }),
      fetch(...wanted) {
        fetched.push(wanted[1])
        return bench.files.fetch(...wanted)
      },
    })
    const refused = {
      name: 'JobFailure',
      final: true,
      message: 'The package is not a valid .fpl archive: the package exceeds 5 GB',
    }
    const preview = await bench.startJob(site, 'PREVIEW_TICKET_IMPORT', uploaded)
    await expect(bench.preview(preview, { files: filesOf(5_000_000_001) })).rejects.toMatchObject(refused)
    const job = await bench.startJob(site, 'TICKET_IMPORT', uploaded)
    await expect(bench.import(job, { files: filesOf(5_000_000_001) })).rejects.toMatchObject(refused)
    expect(fetched).toEqual([])
    await bench.import(job, { files: filesOf(5_000_000_000) })
    expect(fetched).toEqual([uploaded.version])
  })

  test('is rejected when an attachment is missing', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const broken = { externalId: 'B', attachments: [{ path: 'attachments/none' }] }
    await expect(bench.importRequests(site, [{}, broken])).rejects.toThrow('is not in the package')
    expect(await site.tickets()).toEqual([])
  })
})
