import type { ReportEntry } from '@plantroom/contract/reports'
import type { Stack } from './stack.ts'

export interface ReportsPage {
  reports: ReportEntry[]
  nextCursor: string | null
}

/** Fetches one page of the audit as the operator, who sees the ids of all overrides. */
export async function reportsPage(stack: Stack, query: Readonly<Record<string, string>> = {}): Promise<ReportsPage> {
  const { baseUrl, adminToken } = stack.cloud.ready
  const url = `${baseUrl}/api/orgs/${stack.orgId}/reports?${new URLSearchParams(query)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${adminToken}` } })
  if (response.status !== 200) throw new Error(`reports: ${response.status} ${await response.text()}`)
  return (await response.json()) as ReportsPage
}

/** Fetches all audit entries of a query, in the order in which the controller wrote them. */
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
