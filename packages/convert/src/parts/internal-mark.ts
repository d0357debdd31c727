/** Begins a comment that only the staff of the other system could see. The package has no comments of that kind. */
export const INTERNAL_MARK = '[Internal]'
