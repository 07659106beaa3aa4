/** Activation data of one eSIM. A secret: the first to install it owns the line. Unset values are null. */
export interface Esim {
  readonly iccid: string;
  /** Host of the SM-DP+ server. */
  readonly smdpAddress: string;
  readonly matchingId: string | null;
  /** `LPA:1$host$matching id`, the content of the QR code. */
  readonly activationCode: string;
  readonly appleUrl: string | null;
  readonly confirmationCode: string | null;
  readonly msisdn: string | null;
  readonly apn: string | null;
  readonly apnType: string | null;
  readonly apnValue: string | null;
  readonly isRoaming: boolean | null;
}

/** The install link that Android phones open directly. */
export function androidInstallUrl(activationCode: string): string {
  return `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${encodeURI(activationCode)}`;
}

/** The install link that iPhones open directly. */
export function appleInstallUrl(activationCode: string): string {
  return `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${activationCode}`;
}
