import { useEffect } from 'react'
import { common } from '../texts/common.ts'
import { format } from '../texts/format.ts'

/** What the title of the browser tab is made of. */
export interface TitleParts {
  page: string | undefined
  site: string | undefined
  /** Only where the person has several: it tells sites of the same name apart. */
  organization: string | undefined
  /** The number of open alerts, as people read it; empty for none. */
  alerts: string
}

/** Builds the title of the tab, like `(2) Requests – Harbour House – Plantroom`. */
export function tabTitle({ page, site, organization, alerts }: TitleParts): string {
  const named = [page, site === page ? undefined : site, organization].filter((part) => part !== undefined)
  const title = [...named, common.product].reduce((before, part) => format(common.pageTitle, { before, part }))
  return alerts === '' ? title : format(common.alertTitle, { alerts, title })
}

let parts: TitleParts = { page: undefined, site: undefined, organization: undefined, alerts: '' }

function change(changes: Partial<TitleParts>): void {
  parts = { ...parts, ...changes }
  document.title = tabTitle(parts)
}

/** Names the page in the title of the tab. */
export function usePageTitle(page: string | undefined): void {
  useEffect(() => change({ page }), [page])
}

/** Names the site in the title of the tab while the component is mounted. */
export function useTitlePlace(site: string | undefined, organization: string | undefined): void {
  useEffect(() => {
    change({ site, organization })
    return () => change({ site: undefined, organization: undefined })
  }, [site, organization])
}

/** Shows the number of open alerts in the title of the tab while the component is mounted. */
export function useTitleAlerts(alerts: string): void {
  useEffect(() => {
    change({ alerts })
    return () => change({ alerts: '' })
  }, [alerts])
}
