/** Reads QR codes with the camera where the browser can. Pictures stay in the page. */

interface Detector {
  detect(picture: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
declare const BarcodeDetector: new (options: { readonly formats: readonly string[] }) => Detector;

/** Milliseconds between two looks at the picture. */
const EVERY = 200;

export const canScan = (): boolean => "BarcodeDetector" in window && navigator.mediaDevices !== undefined;

/** Shows the camera's picture and gives every code in it; returns a way to stop. */
export async function scan(picture: HTMLVideoElement, found: (text: string) => void): Promise<() => void> {
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  picture.srcObject = stream;
  await picture.play();
  const look = async (): Promise<void> => {
    for (const { rawValue } of await detector.detect(picture)) found(rawValue);
  };
  const timer = setInterval(() => void look().catch(() => {}), EVERY);
  return () => {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
    picture.srcObject = null;
  };
}
