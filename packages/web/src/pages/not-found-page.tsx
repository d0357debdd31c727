import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { common } from '../texts/common.ts'

export function NotFoundPage() {
  return (
    <PageHead title={common.notFound}>
      {common.notFoundHint} <Link to="/">{common.backToStart}</Link>
    </PageHead>
  )
}
