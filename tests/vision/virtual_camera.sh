#!/bin/sh
# Runs the camera source against the real libcamera and picamera2, in a Debian 13 of its own below the folder given:
# sudo tests/vision/virtual_camera.sh FOLDER
# MIRROR: where debootstrap fetches from; PIP_CERT: what pip trusts. Each may be left out.
# Needs debootstrap, about 2 GB and the folder "shared" beside the repository, for what stands in for the kernel's DMA
# heap. The folder may be used again.
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
system=${1:?"name a folder for the system"}
shim=$repository/../shared/lab/camera-shim/dmaheap_shim.c
[ -e "$shim" ] || shim=${CAIPAN_DMAHEAP_SHIM:?"name dmaheap_shim.c"}

if [ ! -e "$system/trial/made" ]; then
    debootstrap --variant=minbase \
        --include=python3-libcamera,libcamera-tools,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev \
        trixie "$system" ${MIRROR:+"$MIRROR"}
    cp /etc/resolv.conf "$system/etc/resolv.conf"
    mkdir "$system/trial"
    touch "$system/trial/made"
fi
certificates=
if [ -n "${PIP_CERT:-}" ]; then
    cp "$PIP_CERT" "$system/trial/certificates.crt"
    certificates=PIP_CERT=/trial/certificates.crt
fi
cp "$shim" "$system/trial/dmaheap_shim.c"
rm -rf "$system/caipan"
mkdir "$system/caipan"
(cd "$repository" && tar cf - appliance calibration clock vision tests pyproject.toml README.md LICENSE) |
    tar xf - -C "$system/caipan"

exec chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 ${certificates:+"$certificates"} sh -eu -c '
    pictures=/usr/share/libcamera/pipeline/virtual/pictures
    mkdir -p $pictures
    cat > $pictures/../virtual.yaml <<YAML
"Virtual0":
  supported_formats:
    - width: 640
      height: 480
      frame_rates: [30, 30]
  frames:
    path: "$pictures/"
  location: "CameraLocationFront"
  model: "Virtual"
YAML
    gcc -shared -fPIC -o /trial/dmaheap_shim.so /trial/dmaheap_shim.c -ldl
    [ -e /trial/venv ] || python3 -m venv --system-site-packages /trial/venv
    /trial/venv/bin/pip install -q "picamera2>=0.3.30" simplejpeg "numpy>=2" "opencv-python-headless>=4.12,<5" pillow \
        "pydantic>=2.10" pillow-heif av pytest pytest-xdist
    cd /caipan
    /trial/venv/bin/python - $pictures <<PICTURES
import sys
import cv2
import numpy as np
for number in range(20):
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:] = np.linspace(40, 200, 640)[None, :, None]
    picture[100:140, 30 * number : 30 * number + 40] = (0, 0, 255)
    cv2.imwrite(f"{sys.argv[1]}/{number}.jpg", picture)
PICTURES
    CAIPAN_VIRTUAL_CAMERA=1 LD_PRELOAD=/trial/dmaheap_shim.so \
        /trial/venv/bin/python -m pytest -n0 tests/vision/test_real_libcamera.py
'
