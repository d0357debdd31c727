import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256 } from '@plantroom/base/sha256'
import { type Client, createClient } from '@plantroom/client/client'
import { countRequests } from '@plantroom/client/count-requests'
import { sendWithKey } from '@plantroom/client/http'
import { PART_BYTES, type UploadPurpose } from '@plantroom/contract/uploads'
import { packageIn, packageOfZeros, ticket } from '../support/package.ts'
import { checkAxe } from './support/look.ts'
import { dropPackage, folderForFiles } from './support/packages.ts'
import { expect, LONG, signIn, sitePath, test } from './support/test.ts'

const PAGE = '/settings/packages'

/** Leaves an upload as a tab does that was closed after its second part. Returns its id. */
async function uploadSecondPart(
  client: Client,
  site: { orgId: string; propertyId: string },
  file: string,
  purpose: UploadPurpose,
): Promise<string> {
  const bytes = readFileSync(file)
  const start = { filename: basename(file), size: bytes.length, purpose }
  const { uploadId } = await client.startUpload({ ...site, body: start })
  const part = new Uint8Array(bytes.subarray(PART_BYTES))
  const body = { parts: [{ number: 2, sha256: sha256(part) }] }
  const { parts } = await client.offerParts({ ...site, uploadId, body })
  await fetch(parts[0]?.url ?? '', { method: 'PUT', body: part })
  return uploadId
}

test('checks a dropped package, imports it and shows its requests', async ({ page, demo, manager }) => {
  using folder = folderForFiles()
  const batch = `drop-${Date.now()}`
  const file = await packageIn(
    folder.path,
    'Põhja maja (2).fpl',
    Array.from({ length: 3 }, (_, index) =>
      ticket(`${batch}-${index}`, {
        title: `${batch} request ${index}`,
        tags: [`tag of ${batch}`],
        unit: `No such unit ${batch}`,
        assignee: `nobody-${batch}@example.com`,
        comments: [{ content: 'Seen.' }],
        attachments: index === 0 ? [{ path: 'attachments/photo.txt' }] : [],
      }),
    ),
    { 'attachments/photo.txt': 'a photo' },
  )
  await signIn(page, manager, sitePath(demo, PAGE))
  await dropPackage(page, file)
  const main = page.getByRole('main')
  await expect(main).toContainText('The package is valid')
  await expect(main).toContainText('The import adds 3 new requests.')
  await expect(main).toContainText(`tag of ${batch}`)
  await expect(main).toContainText('No such unit')
  await expect(main).toContainText(`nobody-${batch}@example.com`)
  // Nothing is lost unless one wants it.
  await expect(main.getByText('1 to create, 0 to replace, 0 to leave out')).toHaveCount(3)
  await page
    .getByRole('radiogroup', { name: /1 person not found/ })
    .getByText('Leave out')
    .click()
  await checkAxe(page)
  await page.getByRole('button', { name: 'Import 3 requests' }).click()
  await expect(main).toContainText('3 requests added, 0 skipped.')
  // The button was far below what it started.
  await expect(page.getByRole('heading', { name: 'Import of Põhja maja (2).fpl' })).toBeInViewport()
  await expect(page.locator(':focus')).toContainText('Import of Põhja maja (2).fpl')
  await expect(main).toContainText('Units: 1 created, 0 replaced, 0 left empty')
  await expect(main).toContainText('Some fields were left empty')

  // The same package again fills what the import left.
  await dropPackage(page, file)
  await page.getByRole('button', { name: 'See what can be filled' }).click()
  await expect(main).toContainText('There is nothing to fill')
  await page
    .getByRole('radiogroup', { name: /1 person not found/ })
    .getByText('Create all')
    .click()
  await page.getByRole('button', { name: 'Check again with these choices' }).click()
  await page.getByRole('button', { name: 'Fill 3 requests' }).click()
  await expect(main).toContainText('3 requests were filled')

  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  expect(await countRequests(client, { orgId, propertyId, query: { q: batch } })).toBe(3)
  await page.goto(sitePath(demo, `/requests?q=${batch}`))
  await expect(page.getByRole('link', { name: `${batch} request 0` })).toBeVisible()
})

test('converts the CSV of another system by a mapping, then checks and imports it', async ({ page, demo, manager }) => {
  using folder = folderForFiles()
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const site = { orgId: demo.orgId, propertyId: demo.propertyId }
  const batch = `csv-${Date.now()}`
  const file = join(folder.path, `${batch}.csv`)
  const rows = ['A,Leak,Waiting,03/04/2026,red', 'B,Lamp,Finished,05/06/2026,', 'C,Door,Waiting,07/08/2026,blue']
  writeFileSync(file, ['Id,Title,Status,Made,Colour', ...rows.map((row) => `${batch}-${row}`), ''].join('\n'))
  await signIn(page, manager, sitePath(demo, PAGE))
  // The attachments are a ZIP whose upload was interrupted.
  const zip = join(folder.path, `${batch}.zip`)
  const large = { 'attachments/large.bin': randomBytes(9_000_000).toString('base64') }
  renameSync(await packageIn(folder.path, 'attachments.fpl', [ticket('unused')], large), zip)
  const uploadId = await uploadSecondPart(client, site, zip, 'conversion')
  await page.getByRole('link', { name: 'Convert an export' }).click()
  await expect(page.getByRole('main')).toContainText(`The upload of ${batch}.zip is not complete`)
  await page.getByLabel('Files of the export').setInputFiles(file)
  await page.getByLabel('ZIP with attachments').setInputFiles(zip)
  await expect(page.getByRole('combobox', { name: 'System' })).toHaveValue('CSV or text table')
  await page.getByRole('button', { name: 'Read the export' }).click()

  const main = page.getByRole('main')
  await expect(main).toContainText(`3 records in ${batch}.csv`)
  expect((await client.getUpload({ ...site, uploadId })).completed).toBe(true)
  await expect(main).toContainText(/Proposed: \S+, the time zone of this site\./)
  const target = page.getByRole('combobox', { name: 'Made becomes' })
  await target.fill('Created')
  await page.getByRole('option', { name: 'Created', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Convert', exact: true })).toHaveCount(0)
  await page.getByText('Day first', { exact: true }).click()
  await expect(main).toContainText('03/04/2026 → 3 April 2026')
  await page.getByRole('combobox', { name: 'Colour becomes' }).fill('Left')
  await page.getByRole('option', { name: 'Left out' }).click()
  await page.getByRole('combobox', { name: 'State for Finished' }).click()
  await page.getByRole('option', { name: 'Closed' }).click()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'State for Finished' })).toHaveValue('Closed')
  await page.getByRole('combobox', { name: 'Made becomes' }).fill('Left')
  await page.getByRole('option', { name: 'Left out' }).click()

  await page.getByRole('button', { name: 'Show the first requests' }).click()
  const first = page.getByRole('table', { name: 'First requests' })
  await expect(first.getByRole('row', { name: /Lamp/ })).toContainText('Closed')
  await expect(page.getByRole('row', { name: /^Colour 2/ })).toContainText('left out')
  await checkAxe(page)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(main).toContainText(`The package ${batch}.fpl is ready`)
  await page.getByRole('button', { name: 'List the values' }).click()
  await expect(page.getByRole('table', { name: 'Every value without a field of its own' })).toContainText('blue')
  await page.getByRole('button', { name: 'Check the package' }).click()
  await expect(main).toContainText('The import adds 3 new requests.')
  await expect(page.getByRole('table', { name: 'First requests' })).toContainText('Leak')
  await page.getByRole('button', { name: 'Import 3 requests' }).click()
  await expect(main).toContainText('3 requests added, 0 skipped.')
})

test('a reopened page shows the current progress of its job', { tag: LONG }, async ({ page, demo, manager }) => {
  using folder = folderForFiles()
  await signIn(page, manager, sitePath(demo, PAGE))
  await dropPackage(page, packageOfZeros(folder.path, 99))
  const bar = page.getByRole('progressbar', { name: 'Check: progress' })
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/)
  await expect(page).toHaveURL(/[?&]job=/)
  const address = page.url()
  const before = Number(await bar.getAttribute('aria-valuenow'))
  await page.close()

  const reopened = await page.context().newPage()
  await reopened.goto(address)
  const again = reopened.getByRole('progressbar', { name: 'Check: progress' })
  await expect(again).toHaveAttribute('aria-valuenow', /^[1-9]/)
  expect(Number(await again.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(before)
  await expect(reopened.getByRole('main')).toContainText('The package is valid', { timeout: 90_000 })
  await reopened.reload()
  await expect(reopened.getByRole('main')).toContainText('The import adds 1 new request.')
})

test('an interrupted upload continues with the same file, and only with it', async ({ page, demo, manager }) => {
  using folder = folderForFiles()
  const attachments = [{ path: 'attachments/large.bin' }]
  const file = await packageIn(folder.path, 'in parts.fpl', [ticket(`parts-${Date.now()}`, { attachments })], {
    'attachments/large.bin': randomBytes(9_000_000).toString('base64'),
  })
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const site = { orgId: demo.orgId, propertyId: demo.propertyId }
  const uploadId = await uploadSecondPart(client, site, file, 'import')

  await signIn(page, manager, sitePath(demo, PAGE))
  const main = page.getByRole('main')
  await expect(main).toContainText(`The upload of ${basename(file)} is not complete`)
  const input = page.getByLabel(`File of the unfinished upload ${basename(file)}`)
  await input.setInputFiles({ name: basename(file), mimeType: 'application/zip', buffer: Buffer.from('short') })
  await expect(page.getByRole('alert')).toContainText('is another file')
  await input.setInputFiles(file)
  await expect(main).toContainText('The package is valid')
  expect((await client.getUpload({ ...site, uploadId })).completed).toBe(true)
})

test('an invalid package is rejected in one line, with the full report to download', { tag: LONG }, async ({
  page,
  demo,
  manager,
}) => {
  using folder = folderForFiles()
  const broken = [ticket('A-1', { state: 'nonsense' }), ticket('A-1'), { externalId: 'A-2', state: 'open' }]
  const file = await packageIn(folder.path, 'broken.fpl', broken)
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  const before = await countRequests(client, { orgId, propertyId })
  await signIn(page, manager, sitePath(demo, PAGE))
  await dropPackage(page, file)
  const main = page.getByRole('main')
  await expect(main).toContainText('The package is not valid')
  await expect(main).toContainText(/Invalid manifest: /)
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the full report (CSV)' }).click()
  const report = readFileSync(await (await downloading).path(), 'utf8')
  expect(report.trim().split('\n').length).toBeGreaterThan(3)
  expect(report).toContain('nonsense')
  expect(await countRequests(client, { orgId, propertyId })).toBe(before)
})

test('a file that is no package is rejected before the upload', async ({ page, demo, manager }) => {
  await signIn(page, manager, sitePath(demo, PAGE))
  await page
    .getByText('Drop a package here')
    .drop({ files: { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no') } })
  await expect(page.getByRole('main')).toContainText('The name must end in .fpl.')
  await page
    .getByText('Drop a package here')
    .drop({ files: { name: 'requests.csv', mimeType: 'text/csv', buffer: Buffer.from('Id,Title') } })
  await page.getByRole('alert').getByRole('link', { name: 'Convert an export' }).click()
  await expect(page.getByRole('heading', { name: 'Convert an export' })).toBeVisible()
})
