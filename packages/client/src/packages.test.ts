import { describe, expect, test } from 'vitest'
import { ApiError, sendWithKey } from './http.ts'
import { createPackageClient } from './packages.ts'
import { sendJson, startServer } from './testing/server.ts'

const BASE = '/api/orgs/org_1/properties/site_1/ticket-packages'

/** The client of a service that answers everything with `answer`. */
async function clientOf(answer: object, site = { orgId: 'org_1', propertyId: 'site_1' }) {
  const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, answer))
  const packages = createPackageClient(sendWithKey(url, 'plr_key'), site)
  const asked = () => requests.map(({ method, path, body }) => ({ method, path, body }))
  return { packages, requests, asked }
}

describe('the six calls of the contract', () => {
  test('ask for an address to upload to, by a name of any letters', async () => {
    const { packages, requests } = await clientOf({ url: 'https://files.example/1' })
    expect(await packages.uploadUrl('Põhja maja (1) & co.fpl')).toBe('https://files.example/1')
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { 'x-api-key': 'plr_key' } })
    const asked = new URL(requests[0]?.path ?? '', 'http://x')
    expect(asked.pathname).toBe(`${BASE}/import/upload-url`)
    expect([...asked.searchParams]).toEqual([['filename', 'Põhja maja (1) & co.fpl']])
  })

  test('start a preview and an import of what was uploaded, and give the id of the job', async () => {
    const { packages, asked } = await clientOf({ jobId: 'job_1' })
    expect(await packages.preview('a.fpl')).toBe('job_1')
    expect(await packages.import('a.fpl')).toBe('job_1')
    expect(asked()).toEqual([
      { method: 'POST', path: `${BASE}/import/preview`, body: '{"filename":"a.fpl"}' },
      { method: 'POST', path: `${BASE}/import`, body: '{"filename":"a.fpl"}' },
    ])
  })

  test('look at a job', async () => {
    const job = { id: 'job_1', status: 'RUNNING', resolved: false }
    const { packages, asked } = await clientOf(job)
    expect(await packages.job('job_1')).toEqual(job)
    expect(asked()).toEqual([{ method: 'GET', path: `${BASE}/jobs/job_1`, body: '' }])
  })
})

test('an export is started', async () => {
  const { packages, asked } = await clientOf({ jobId: 'job_2' })
  expect(await packages.export()).toBe('job_2')
  expect(asked()).toEqual([{ method: 'POST', path: `${BASE}/export`, body: '' }])
})

test('the reports of a job come by pages', async () => {
  const { packages, asked } = await clientOf({ problems: [], numbers: [], nextCursor: null })
  await packages.problems('job_1')
  await packages.numbers('job_1', { limit: 5, cursor: '17' })
  expect(asked().map(({ path }) => path)).toEqual([
    `${BASE}/jobs/job_1/problems`,
    `${BASE}/jobs/job_1/numbers?limit=5&cursor=17`,
  ])
})

test('jobs and findings come by pages too', async () => {
  const { packages, asked } = await clientOf({ jobs: [], findings: [], nextCursor: null })
  await packages.jobs({ limit: 20 })
  await packages.jobs({ limit: 20, cursor: '7' })
  await packages.findings('job_1', { limit: 5 })
  expect(asked().map(({ path }) => path)).toEqual([
    `${BASE}/jobs?limit=20`,
    `${BASE}/jobs?limit=20&cursor=7`,
    `${BASE}/jobs/job_1/findings?limit=5`,
  ])
})

test('a browser is told where events and whole reports are', async () => {
  const { packages } = await clientOf({})
  expect(packages.eventsPath('job/1')).toBe(`${BASE}/jobs/job%2F1/events`)
  expect(packages.reportPath('job_1', 'problems', 'csv')).toBe(`${BASE}/jobs/job_1/problems?format=csv`)
  expect(packages.reportPath('job_1', 'problems', 'json')).toBe(`${BASE}/jobs/job_1/problems?limit=10000`)
})

test('every call stays below the site, whatever the ids', async () => {
  const { packages, asked } = await clientOf({ jobId: 'x' }, { orgId: '../a', propertyId: 'b/c?d' })
  await packages.job('../../e#f')
  expect(asked()[0]?.path).toBe('/api/orgs/..%2Fa/properties/b%2Fc%3Fd/ticket-packages/jobs/..%2F..%2Fe%23f')
})

test('a refusal is an error with the words of the service', async () => {
  const { url } = await startServer((_asked, response) =>
    sendJson(response, 404, { message: 'no file was uploaded', code: 'NOT_FOUND' }),
  )
  const packages = createPackageClient(sendWithKey(url, 'k'), { orgId: 'o', propertyId: 's' })
  const error = await packages.preview('a.fpl').catch((caught) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'no file was uploaded' })
})
