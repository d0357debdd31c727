import type { ReportEntry } from '@plantroom/contract/reports'
import type { Stack } from './stack.ts'

export interface ReportsPage {
  reports: ReportEntry[]
  nextCursor: string | null
}

/** One page of the audit, as a partner's own client reads it. */
export async function reportsPage(stack: Stack, query: Readonly<Record<string, string>> = {}): Promise<ReportsPage> {
  const url = `${stack.cloud.ready.baseUrl}/api/orgs/${stack.orgId}/reports?${new URLSearchParams(query)}`
  const response = await fetch(url, { headers: { 'X-Api-Key': stack.apiKey } })
  if (response.status !== 200) throw new Error(`reports: ${response.status} ${await response.text()}`)
  return (await response.json()) as ReportsPage
}

/** All of the audit that a query finds, in the order in which the device wrote it. */
export async function reportsOf(stack: Stack, query: Readonly<Record<string, string>> = {}): Promise<ReportEntry[]> {
  const found: ReportEntry[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: ReportsPage = await reportsPage(stack, { ...query, limit: '1000', ...(cursor && { cursor }) })
    found.push(...page.reports)
    cursor = page.nextCursor
  }
  return found.toSorted((a, b) => a.seq - b.seq)
}
