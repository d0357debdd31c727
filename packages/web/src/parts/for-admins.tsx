import type { ReactNode } from 'react'
import { Empty } from './notices.tsx'
import { PageHead } from './page-head.tsx'

/** A page for administrators of the organization. Others learn that it is. */
export function ForAdmins({
  isAdmin,
  title,
  hint,
  children,
}: {
  isAdmin: boolean
  title: string
  hint: string
  children: ReactNode
}) {
  if (isAdmin) return children
  return (
    <>
      <PageHead title={title} />
      <Empty title={hint} />
    </>
  )
}
