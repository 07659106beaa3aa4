const figure = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** 1 GB is 1024 MB, as everywhere in the API. */
export const megabytes = (mb: number): string =>
  mb >= 1024 ? `${figure.format(mb / 1024)} GB` : `${figure.format(mb)} MB`;
