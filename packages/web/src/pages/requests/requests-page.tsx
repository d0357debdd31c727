import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { PageHead } from '../../parts/notices.tsx'
import { useRoomy } from '../../parts/use-roomy.ts'
import { requests } from '../../texts/requests.ts'
import { NewRequestDialog } from './new-request-dialog.tsx'
import { RequestFilterBar } from './request-filter-bar.tsx'
import { type RequestFilters, readFilters, writeFilters } from './request-filters.ts'
import { RequestList } from './request-list.tsx'
import { RequestsOff } from './requests-off.tsx'

/** In the address: that the form of a new request is open. */
const NEW = 'new'

/** The maintenance requests of a site. */
export function RequestsPage() {
  const { site } = useSite()
  return site.maintenanceRequests ? <Requests /> : <RequestsOff />
}

function Requests() {
  const { may } = useSite()
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const roomy = useRoomy()

  const change = (changes: Partial<RequestFilters>) =>
    setParams((before) => writeFilters({ ...readFilters(before), ...changes }), { replace: true })
  const showForm = (shown: boolean) =>
    setParams(
      (before) => {
        const next = writeFilters(readFilters(before))
        if (shown) next.set(NEW, '')
        return next
      },
      { replace: !shown },
    )

  return (
    <>
      <PageHead
        title={requests.title}
        actions={may('manager') && <Button onClick={() => showForm(true)}>{requests.newRequest}</Button>}
      />
      <RequestFilterBar filters={filters} onChange={change} roomy={roomy} />
      <RequestList filters={filters} roomy={roomy} onClear={() => setParams(new URLSearchParams())} />
      {may('manager') && <NewRequestDialog opened={params.has(NEW)} onClose={() => showForm(false)} />}
    </>
  )
}
