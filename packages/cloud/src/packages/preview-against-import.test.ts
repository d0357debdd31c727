import { repeat, repetitions } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import { openImportBench } from './testing/import-bench.ts'
import { randomPackage } from './testing/random-package.ts'

const RUNS = 2
/** Sites that are imported concurrently: most of the time goes into flushing files. */
const PACKAGES_PER_RUN = 8
const RUN_TIMEOUT_MS = 60_000

test('an import does what its preview says, and a second import skips everything', {
  timeout: repetitions(RUNS) * RUN_TIMEOUT_MS,
}, async () => {
  const bench = await openImportBench()
  const seen = { new: 0, existing: 0, tags: 0, units: 0, emails: 0 }
  await repeat(RUNS, async ({ seed }) => {
    const seeds = Array.from({ length: PACKAGES_PER_RUN }, (_, index) => (seed >>> 1) + index)
    await Promise.all(seeds.map(comparePreviewWithImport))
  })
  // A generator that never creates a case proves nothing about it.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(repetitions(RUNS) * 2)

  async function comparePreviewWithImport(seed: number): Promise<void> {
    const { tickets, files, site: before } = randomPackage(seed)
    const site = await bench.addSite()
    await site.addPeople(...before.people)
    await site.addUnits(...before.units)
    await site.addTags(...before.tags)
    await bench.importRequests(
      site,
      before.tickets.map((externalId) => ({ externalId })),
    )
    const [requestsBefore, tagsBefore] = [await site.tickets(), await site.tags()]

    const preview = await bench.previewRequests(site, tickets, files)
    expect([await site.tickets(), await site.tags()], `seed ${seed}`).toEqual([requestsBefore, tagsBefore])

    const output = await bench.importRequests(site, tickets, files)
    expect(output, `seed ${seed}`).toEqual({
      created: {
        tickets: preview.tickets.new,
        comments: preview.comments,
        attachments: preview.attachments,
        tags: preview.tagsToCreate.length,
      },
      skipped: preview.tickets.existing,
      unmatchedEmails: preview.unmatchedEmails,
      unmatchedUnits: preview.unmatchedUnits,
    })
    const after = await site.tickets()
    expect(after.length).toBe(requestsBefore.length + preview.tickets.new)
    expect(after.slice(0, requestsBefore.length)).toEqual(requestsBefore)
    expect(await site.tags()).toEqual([...tagsBefore, ...preview.tagsToCreate].toSorted(byCodePoint(await site.tags())))

    expect(await bench.importRequests(site, tickets, files), `seed ${seed}`).toEqual({
      created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
      skipped: tickets.length,
      unmatchedEmails: [],
      unmatchedUnits: [],
    })
    expect(await site.tickets()).toEqual(after)

    seen.new += preview.tickets.new
    seen.existing += preview.tickets.existing
    seen.tags += preview.tagsToCreate.length
    seen.units += preview.unmatchedUnits.length
    seen.emails += preview.unmatchedEmails.length
  }
})

/** Sorts as the database does. */
function byCodePoint(listed: readonly string[]): (a: string, b: string) => number {
  return (a, b) => listed.indexOf(a) - listed.indexOf(b)
}
