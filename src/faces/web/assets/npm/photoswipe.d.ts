import PhotoSwipe from "photoswipe";

export default PhotoSwipe;
