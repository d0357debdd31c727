import { Empty, PageHead } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { requests } from '../../texts/requests.ts'

/** In place of a page of requests on a site that has none. */
export function RequestsOff() {
  return (
    <>
      <PageHead title={requests.title} />
      <Empty title={common.requestsOff}>{common.requestsOffHint}</Empty>
    </>
  )
}
