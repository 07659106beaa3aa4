/** The page a partner can send to the traveller. It is not there yet: no address is claimed for it. */
export const shareUrl = (): string => '';
